import {
  type ConversationStore,
  type StoredEvent,
  removeUndone,
  getPersonText,
} from '@toolblocks/conversation-store'
import { type ContentBlock, getText } from '@toolblocks/protocol'
import { readAll } from '../reading/read-all.ts'
import {
  type Prices,
  createUsageSum,
  describeUsageSum,
  formatTokens,
  estimateTokens,
} from '../reading/usage.ts'

/** What a conversation comes to without what was undone; tokens are an estimate. */
interface Totals {
  /** Tokens of messages and calls. */
  said: number
  /** Tokens of results, as the model received them. */
  received: number
  /** Tokens that results would have been besides, in full. */
  saved: number
  /** Results of which nothing says what the model received. */
  unrecorded: number
}

/** A turn in the outline of a conversation. */
export interface OutlineTurn {
  /** The event that it begins with. */
  seq: number
  /** What a person said first in it, on one line; empty where nobody did. */
  words: string
  /** Calls of tools in it. */
  calls: number
}

/** What only a look at all of a conversation tells. */
export interface ConversationStatistics {
  /** Takes the next event in. */
  add(kept: Pick<StoredEvent, 'seq' | 'event'>): void
  totals(): Totals
  /** The tokens that providers counted, by model, with what they cost where a price is known; empty where none are told. */
  usage(prices?: Prices): string
  /** Turns in their order, without those that were undone. */
  turns(): readonly OutlineTurn[]
  /** How many rewinds there are. */
  rewinds(): number
  /** The number of the rewind that has undone an event; undefined for what counts. */
  undoneBy(seq: number): number | undefined
}

type Counted = Totals & { seq: number }

/** Begins a look at a conversation, which is given its events in their order. */
export function createStatistics(): ConversationStatistics {
  const rewinds: { seq: number; to: number }[] = []
  const counted: Counted[] = []
  const outline = createOutline()
  const usage = createUsageSum()
  return {
    add: ({ seq, event }) => {
      outline.add(seq, event)
      usage.add(event)
      if (event.type !== 'rewind') {
        const counts = countEvent(event)
        if (counts) counted.push({ seq, said: 0, received: 0, saved: 0, unrecorded: 0, ...counts })
        return
      }
      rewinds.push({ seq, to: event.to })
      removeUndone(counted, event.to)
    },
    totals: () => ({
      said: estimateTokens(sum(counted, 'said')),
      received: estimateTokens(sum(counted, 'received')),
      saved: estimateTokens(sum(counted, 'saved')),
      unrecorded: Math.max(0, sum(counted, 'unrecorded')),
    }),
    usage: (prices = {}) => describeUsageSum(usage.byModel(), { prices, names: 'several' }),
    turns: outline.turns,
    rewinds: () => rewinds.length,
    undoneBy: (seq) => rewinds.find((rewind) => rewind.to < seq && seq < rewind.seq)?.seq,
  }
}

/** Characters of what a person said that stand in an outline. */
const WORDS = 80

/** Turns begin where the conversation says so, else with each message of a person. */
function createOutline(): {
  add(seq: number, event: StoredEvent['event']): void
  turns(): readonly OutlineTurn[]
} {
  const told: OutlineTurn[] = []
  const spoken: OutlineTurn[] = []
  return {
    add: (seq, event) => {
      const words = getLine(getPersonText(event))
      if (event.type === 'turn_start') told.push({ seq, words: '', calls: 0 })
      if (words !== '') {
        const turn = told.at(-1)
        if (turn?.words === '') turn.words = words
        spoken.push({ seq, words, calls: 0 })
      }
      if (event.type === 'tool_call')
        for (const turn of [told.at(-1), spoken.at(-1)]) if (turn) turn.calls += 1
      if (event.type === 'rewind') for (const turns of [told, spoken]) removeUndone(turns, event.to)
    },
    turns: () => (told.length > 0 ? told : spoken),
  }
}

function getLine(words: string): string {
  const line = words
    .slice(0, WORDS * 4)
    .replaceAll(/\s+/g, ' ')
    .trim()
  return line.length > WORDS ? `${line.slice(0, WORDS).toWellFormed()}…` : line
}

/** What an event adds, in characters. */
function countEvent(event: StoredEvent['event']): Partial<Totals> | undefined {
  if (event.type === 'tool_result') return { unrecorded: 1 }
  if (event.type !== 'delivery') {
    const said = findCharacters(event)
    return said === undefined ? undefined : { said }
  }
  const { callId, text, wholeLength } = event
  if (callId === undefined || text === undefined) return undefined
  const saved = Math.max(0, (wholeLength ?? text.length) - text.length)
  return { received: text.length, saved, unrecorded: -1 }
}

/** The characters of what people and models say; undefined for events that say nothing, and for results. */
function findCharacters(event: StoredEvent['event']): number | undefined {
  switch (event.type) {
    case 'user_message':
      return getLength(event.content)
    case 'assistant_message':
      return getLength(event.content) + (event.reasoning?.length ?? 0)
    case 'tool_call':
      return event.call.name.length + JSON.stringify(event.call.arguments).length
    case 'compaction':
      return event.summary?.length
    case 'turn_start':
    case 'tool_result':
    case 'question':
    case 'answer':
    case 'approval':
    case 'delivery':
    case 'configuration':
    case 'rewind':
    case 'unknown':
      return undefined
  }
}

function getLength(content: readonly ContentBlock[]): number {
  return content.reduce((length, block) => length + (getText(block) ?? '').length, 0)
}

function sum(counted: readonly Counted[], field: keyof Totals): number {
  return counted.reduce((total, counts) => total + counts[field], 0)
}

const say = (count: number): string => count.toLocaleString('en')

/** Says it in one line: what providers counted, or an estimate where they did not; with `parts`, what the estimate is made of. */
export function describeTotals(
  survey: Pick<ConversationStatistics, 'totals' | 'usage'>,
  { prices, parts }: { prices?: Prices | undefined; parts: 'omit' | 'say' },
): string {
  const counted = survey.usage(prices)
  const { said, received, saved, unrecorded } = survey.totals()
  const about = `about ${formatTokens(said + received)}`
  if (parts === 'omit') return counted === '' ? about : counted
  const less = saved > 0 ? ` (${say(saved)} saved)` : ''
  const results = unrecorded === 1 ? '1 result' : `${say(unrecorded)} results`
  const more = unrecorded > 0 ? `; of ${results} it is not recorded what the model received` : ''
  const estimate = `${about}: ${say(said)} in messages and calls, ${say(received)} in results${less}${more}`
  return counted === '' ? estimate : `${counted} · ${estimate}`
}

/** Surveys of the conversations that are looked at, each of which goes on where it was. */
interface StatisticsCache {
  /** Of all events up to a number. */
  upTo(id: string, last: number): Promise<ConversationStatistics>
  /** The same, or where that would take long what is known by now; the rest is then read meanwhile. */
  soon(
    id: string,
    last: number,
  ): Promise<{ survey: ConversationStatistics; extent: 'whole' | 'begun' }>
}

/** Events that are read in less time than anybody waits for a page. */
const FEW = 5000

/** Conversations that are remembered. */
const MAX_COUNT = 20

/** Keeps surveys over a store. */
export function createStatisticsCache(store: ConversationStore): StatisticsCache {
  const kept = new Map<
    string,
    { survey: ConversationStatistics; seen: number; reading: Promise<void> }
  >()

  function open(id: string) {
    const known = kept.get(id)
    if (known) return known
    const [oldest] = kept.keys()
    if (kept.size >= MAX_COUNT && oldest !== undefined) kept.delete(oldest)
    const begun = { survey: createStatistics(), seen: 0, reading: Promise.resolve() }
    kept.set(id, begun)
    return begun
  }

  async function upTo(id: string, last: number): Promise<ConversationStatistics> {
    const one = open(id)
    const before = one.reading
    const read = async (): Promise<void> => {
      await before
      if (one.seen >= last) return
      for await (const event of readAll(store, id, new AbortController().signal, one.seen)) {
        if ('event' in event) one.survey.add(event)
        one.seen = event.seq
      }
    }
    // What cannot be read now is tried again with the next page.
    one.reading = read().catch(() => undefined)
    await one.reading
    return one.survey
  }

  return {
    upTo,
    soon: async (id, last) => {
      const { survey, seen } = open(id)
      const reading = upTo(id, last)
      if (last - seen <= FEW) return { survey: await reading, extent: 'whole' }
      return { survey, extent: 'begun' }
    },
  }
}
