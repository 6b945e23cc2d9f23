import type { StoredEvent } from '@toolblocks/conversation-store'
import { type ContentBlock, textOf } from '@toolblocks/protocol'
import { tokensInWords, tokensOf } from '../../model/tokens.ts'

/** What a conversation comes to without what was undone; tokens are an estimate. */
export interface Totals {
  /** Tokens of messages and calls. */
  said: number
  /** Tokens of results, as the model received them. */
  received: number
  /** Tokens that results would have been besides, in full. */
  saved: number
  /** Results of which nothing says what the model received. */
  unrecorded: number
}

/** What only a look at all of a conversation tells. */
export interface Survey {
  /** Takes the next event in. */
  add(kept: Pick<StoredEvent, 'seq' | 'event'>): void
  totals(): Totals
  /** How many rewinds there are. */
  rewinds(): number
  /** The number of the rewind that has undone an event; undefined for what counts. */
  undoneBy(seq: number): number | undefined
}

type Counted = Totals & { seq: number }

/** Begins a look at a conversation, which is given its events in their order. */
export function createSurvey(): Survey {
  const rewinds: { seq: number; to: number }[] = []
  const counted: Counted[] = []
  return {
    add: ({ seq, event }) => {
      if (event.type !== 'rewind') {
        const counts = countEvent(event)
        if (counts) counted.push({ seq, said: 0, received: 0, saved: 0, unrecorded: 0, ...counts })
        return
      }
      rewinds.push({ seq, to: event.to })
      while ((counted.at(-1)?.seq ?? 0) > event.to) counted.pop()
    },
    totals: () => ({
      said: tokensOf(sum(counted, 'said')),
      received: tokensOf(sum(counted, 'received')),
      saved: tokensOf(sum(counted, 'saved')),
      unrecorded: Math.max(0, sum(counted, 'unrecorded')),
    }),
    rewinds: () => rewinds.length,
    undoneBy: (seq) => rewinds.find((rewind) => rewind.to < seq && seq < rewind.seq)?.seq,
  }
}

/** What an event adds, in characters. */
function countEvent(event: StoredEvent['event']): Partial<Totals> | undefined {
  if (event.type === 'tool_result') return { unrecorded: 1 }
  if (event.type !== 'delivery') {
    const said = charactersOf(event)
    return said === undefined ? undefined : { said }
  }
  const { callId, text, wholeLength } = event
  if (callId === undefined || text === undefined) return undefined
  const saved = Math.max(0, (wholeLength ?? text.length) - text.length)
  return { received: text.length, saved, unrecorded: -1 }
}

/** The characters of what people and models say; undefined for events that say nothing, and for results. */
export function charactersOf(event: StoredEvent['event']): number | undefined {
  switch (event.type) {
    case 'user_message':
      return lengthOf(event.content)
    case 'assistant_message':
      return lengthOf(event.content) + (event.reasoning?.length ?? 0)
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

function lengthOf(content: readonly ContentBlock[]): number {
  return content.reduce((length, block) => length + (textOf(block) ?? '').length, 0)
}

function sum(counted: readonly Counted[], field: keyof Totals): number {
  return counted.reduce((total, counts) => total + counts[field], 0)
}

const say = (count: number): string => count.toLocaleString('en')

/** Says it in one line. */
export function describeTotals({ said, received, saved, unrecorded }: Totals): string {
  const less = saved > 0 ? ` (${say(saved)} saved)` : ''
  const results = unrecorded === 1 ? '1 result' : `${say(unrecorded)} results`
  const more = unrecorded > 0 ? `; of ${results} it is not recorded what the model received` : ''
  return `about ${tokensInWords(said + received)}: ${say(said)} in messages and calls, ${say(received)} in results${less}${more}`
}
