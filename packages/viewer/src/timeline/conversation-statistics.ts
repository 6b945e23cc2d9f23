import {
  type ConversationStore,
  type Rewinds,
  type StoredEvent,
  createRewinds,
  getPersonText,
  readEntries,
} from '@toolblocks/conversation-store'
import { setImmediate } from 'node:timers/promises'
import { type ContentBlock, type TokenUsage, getText } from '@toolblocks/protocol'
import {
  type Prices,
  createUsageSum,
  describeUsageSum,
  formatTokens,
  estimateTokens,
} from '../reading/usage.ts'

/** The totals of a conversation without undone events. Tokens are estimates. */
interface Totals {
  /** Tokens of messages and calls. */
  sent: number
  /** Tokens of results, as the model received them. */
  received: number
  /** Tokens that the full results would have had in addition. */
  saved: number
  /** Results without a record of what the model received. */
  unrecorded: number
}

/** A turn in the outline of a conversation. */
export interface OutlineTurn {
  /** The number of its first event. */
  seq: number
  /** The first words of the person in it, on one line; may be empty. */
  opening: string
  /** Number of tool calls in it. */
  calls: number
}

/** Statistics that need all events of a conversation. */
export interface ConversationStatistics extends KnownStatistics {
  /** Adds the next event. */
  add(kept: Pick<StoredEvent, 'seq' | 'event'>): void
}

/** Statistics that are only read. */
export interface KnownStatistics {
  totals(): Totals
  /** Returns the token usage that providers counted, by model. */
  byModel(): ReadonlyMap<string, TokenUsage>
  /** Returns the tokens that providers counted, by model, with costs if prices are known; empty without counts. */
  usage(prices?: Prices): string
  /** Returns the turns in order, without undone ones. */
  turns(): readonly OutlineTurn[]
  /** Returns the number of rewinds. */
  rewinds(): number
  /** Returns the number of the rewind that undid an event; `undefined` if it is not undone. */
  undoneBy(seq: number): number | undefined
}

type Counted = Totals & { seq: number }

/** Creates the statistics of a conversation. Add its events in order. */
export function createStatistics(): ConversationStatistics {
  const rewinds = createRewinds()
  const all: Counted[] = []
  const outline = createOutline(rewinds)
  const usage = createUsageSum()
  return {
    add: ({ seq, event }) => {
      outline.add(seq, event)
      usage.add(event)
      rewinds.add({ seq, event })
      const counts = countEvent(event)
      if (counts) all.push({ seq, sent: 0, received: 0, saved: 0, unrecorded: 0, ...counts })
    },
    totals: () => {
      const counted = withoutUndone(all, rewinds)
      return {
        sent: estimateTokens(sum(counted, 'sent')),
        received: estimateTokens(sum(counted, 'received')),
        saved: estimateTokens(sum(counted, 'saved')),
        unrecorded: Math.max(0, sum(counted, 'unrecorded')),
      }
    },
    byModel: usage.byModel,
    usage: (prices = {}) => describeUsageSum(usage.byModel(), { prices, names: 'several' }),
    turns: outline.turns,
    rewinds: rewinds.count,
    undoneBy: rewinds.undoneBy,
  }
}

/** Returns the entries whose events count. */
function withoutUndone<Entry extends { seq: number }>(
  entries: readonly Entry[],
  rewinds: Rewinds,
): readonly Entry[] {
  if (rewinds.count() === 0) return entries
  const kept = rewinds.kept()
  return entries.filter(({ seq }) => kept.has(seq))
}

/** Maximum characters of a turn's words in an outline. */
const MAX_OPENING = 80

/** Turns start where the conversation records it, else with each message of a person. */
function createOutline(rewinds: Rewinds): {
  add(seq: number, event: StoredEvent['event']): void
  turns(): readonly OutlineTurn[]
} {
  const noted: { seq: number; is: 'turn' | 'words' | 'call'; opening: string }[] = []
  return {
    add: (seq, event) => {
      const opening = getLine(getPersonText(event))
      if (event.type === 'turn_start') noted.push({ seq, is: 'turn', opening: '' })
      else if (opening !== '') noted.push({ seq, is: 'words', opening })
      else if (event.type === 'tool_call') noted.push({ seq, is: 'call', opening: '' })
    },
    turns: () => {
      const counted = withoutUndone(noted, rewinds)
      const start = counted.some(({ is }) => is === 'turn') ? 'turn' : 'words'
      const turns: OutlineTurn[] = []
      for (const { seq, is, opening } of counted) {
        const turn = turns.at(-1)
        if (is === start) turns.push({ seq, opening, calls: 0 })
        else if (turn && is === 'call') turn.calls += 1
        else if (turn?.opening === '') turn.opening = opening
      }
      return turns
    },
  }
}

/** Returns the beginning of a text on one line. */
export function getLine(text: string): string {
  const line = text
    .slice(0, MAX_OPENING * 4)
    .replaceAll(/\s+/g, ' ')
    .trim()
  return line.length > MAX_OPENING ? `${line.slice(0, MAX_OPENING).toWellFormed()}…` : line
}

/** Returns the characters that an event adds. */
function countEvent(event: StoredEvent['event']): Partial<Totals> | undefined {
  if (event.type === 'tool_result') return { unrecorded: 1 }
  if (event.type !== 'delivery') {
    const sent = findCharacters(event)
    return sent === undefined ? undefined : { sent }
  }
  const { callId, text, wholeLength } = event
  if (callId === undefined || text === undefined) return undefined
  const saved = Math.max(0, (wholeLength ?? text.length) - text.length)
  return { received: text.length, saved, unrecorded: -1 }
}

/** Returns the characters of a message; `undefined` for other events and for results. */
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

const formatCount = (count: number): string => count.toLocaleString('en')

/** Describes the totals in one line: the providers' counts, or an estimate; with `parts`, what the estimate consists of. */
export function describeTotals(
  statistics: Pick<ConversationStatistics, 'totals' | 'usage'>,
  { prices, parts }: { prices?: Prices | undefined; parts: 'omit' | 'say' },
): string {
  const counted = statistics.usage(prices)
  const { sent, received, saved, unrecorded } = statistics.totals()
  const about = `about ${formatTokens(sent + received)}`
  if (parts === 'omit') return counted === '' ? about : counted
  const less = saved > 0 ? ` (${formatCount(saved)} saved)` : ''
  const results = unrecorded === 1 ? '1 result' : `${formatCount(unrecorded)} results`
  const more = unrecorded > 0 ? `; for ${results}, what the model received is not recorded` : ''
  const estimate = `${about}: ${formatCount(sent)} in messages and calls, ${formatCount(received)} in results${less}${more}`
  return counted === '' ? estimate : `${counted} · ${estimate}`
}

/** The statistics of a conversation as data, which can be passed to another thread. */
export interface StatisticsData {
  totals: Totals
  /** The token usage that providers counted. */
  usage: readonly (readonly [model: string, usage: TokenUsage])[]
  turns: readonly OutlineTurn[]
  rewinds: number
  /** The numbers of undone events, each with the number of the rewind that undid it. */
  undone: readonly (readonly [seq: number, by: number])[]
}

/** Number of events after which other work of the thread gets its turn. */
const BETWEEN = 50

/** Reads all events of a conversation and returns their statistics. Other work of the thread continues meanwhile. */
export async function readStatistics(
  store: ConversationStore,
  id: string,
): Promise<StatisticsData> {
  const statistics = createStatistics()
  let last = 0
  for await (const entry of readEntries(store, id)) {
    if ('event' in entry) statistics.add(entry)
    last = entry.seq
    if (last % BETWEEN === 0) await setImmediate()
  }
  const undone: [seq: number, by: number][] = []
  for (let seq = 1; statistics.rewinds() > 0 && seq <= last; seq += 1) {
    const by = statistics.undoneBy(seq)
    if (by !== undefined) undone.push([seq, by])
  }
  const { byModel, totals, turns, rewinds } = statistics
  return { totals: totals(), usage: [...byModel()], turns: turns(), rewinds: rewinds(), undone }
}

/** Creates statistics from data. Events cannot be added. */
export function openStatistics(data: StatisticsData): KnownStatistics {
  const byModel = new Map(data.usage)
  const undone = new Map(data.undone)
  return {
    totals: () => data.totals,
    byModel: () => byModel,
    usage: (prices = {}) => describeUsageSum(byModel, { prices, names: 'several' }),
    turns: () => data.turns,
    rewinds: () => data.rewinds,
    undoneBy: (seq) => undone.get(seq),
  }
}
