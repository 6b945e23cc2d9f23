import { field, isJsonObject, type JsonObject } from '@toolblocks/protocol'
import { findEventProblem, toWordsOfToday } from '../../events/decode-event.ts'
import type { Tally } from '../counts.ts'
import type { ImportedEvent } from '../imported-event.ts'

/** An event that a store had, also one of a type that this version does not know; `undefined` for what is none. */
export function ownEvent(value: unknown): ImportedEvent | undefined {
  const event = toWordsOfToday(
    isJsonObject(value) && field(value, 'type') === 'unknown' && Object.hasOwn(value, 'value')
      ? field(value, 'value')
      : value,
  )
  if (findEventProblem(event)) return undefined
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was checked, but for types that a newer version knows
  return event as ImportedEvent
}

/** Counts an event by its JSON alone. */
export function countOwn(event: JsonObject, tally: Tally): void {
  switch (field(event, 'type')) {
    case 'turn_start':
      tally.turns += 1
      return
    case 'user_message':
      tally.userMessages += 1
      return
    case 'assistant_message':
      if (hasSaid(event)) tally.assistantMessages += 1
      return
    case 'tool_call':
      tally.calls += 1
      return
    case 'tool_result': {
      const result = field(event, 'result')
      tally.results += 1
      if (isJsonObject(result) && field(result, 'isError') === true) tally.errors += 1
      return
    }
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
    default:
      tally.unknown += 1
  }
}

function hasSaid(event: JsonObject): boolean {
  const content = field(event, 'content')
  return (Array.isArray(content) && content.length > 0) || field(event, 'data') !== undefined
}
