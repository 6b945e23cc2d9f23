import { isImportedRecord, type ImportedEvent } from './imported-event.ts'
import type { UnknownEvent } from '../events/conversation-event.ts'

/** How much of each kind a conversation has: in its source by its records, in the store by its events. */
export interface Counts {
  userMessages: number
  /** Without those that are reasoning alone. */
  assistantMessages: number
  calls: number
  results: number
  /** Of the results. */
  errors: number
  questions: number
  answers: number
  /** Recorded starts of turns; where there are none, the messages of people. */
  turns: number
  configurations: number
  /** Records that no event stands for: kept as they are. */
  unknown: number
}

/** Counts records one by one; `turns` is settled at the end. */
export type Tally = Counts

export function startTally(): Tally {
  return {
    userMessages: 0,
    assistantMessages: 0,
    calls: 0,
    results: 0,
    errors: 0,
    questions: 0,
    answers: 0,
    turns: 0,
    configurations: 0,
    unknown: 0,
  }
}

/** The counts of what was tallied. */
export function endTally(tally: Tally): Counts {
  return { ...tally, turns: tally.turns === 0 ? tally.userMessages : tally.turns }
}

/** Counts events, those of a store and those that are on their way there. */
export function countEvents(events: Iterable<ImportedEvent | UnknownEvent>): Counts {
  const tally = startTally()
  for (const event of events) countEvent(tally, event)
  return endTally(tally)
}

function countEvent(tally: Tally, event: ImportedEvent | UnknownEvent): void {
  if (isImportedRecord(event)) {
    tally.unknown += 1
    return
  }
  switch (event.type) {
    case 'turn_start':
      tally.turns += 1
      return
    case 'user_message':
      tally.userMessages += 1
      return
    case 'assistant_message':
      if (event.content.length > 0 || event.data !== undefined) tally.assistantMessages += 1
      return
    case 'tool_call':
      tally.calls += 1
      return
    case 'tool_result':
      tally.results += 1
      if (event.result.isError) tally.errors += 1
      return
    case 'question':
      tally.questions += 1
      return
    case 'answer':
      tally.answers += 1
      return
    case 'configuration':
      tally.configurations += 1
      return
    case 'approval':
    case 'delivery':
    case 'compaction':
    case 'rewind':
      return
    case 'unknown':
    default:
      // Also a type that only a newer version knows.
      tally.unknown += 1
  }
}
