import { field, type JsonObject } from '@toolblocks/protocol'
import type { Compaction } from '../../events/conversation-event.ts'
import { toObject } from './to-object.ts'

/** JP counts turns from 0. */
export function readCompaction(record: JsonObject): Compaction {
  const summary = field(toObject(field(record, 'summary')), 'summary')
  const tools = toObject(field(record, 'tool_calls'))
  const toolCalls = toolCallsOf(tools)
  return {
    type: 'compaction',
    fromTurn: turnOf(field(record, 'from_turn')),
    toTurn: turnOf(field(record, 'to_turn')),
    ...(typeof summary === 'string' && { summary }),
    ...(field(record, 'reasoning') === 'strip' && { reasoning: 'strip' }),
    ...(toolCalls && { toolCalls }),
  }
}

/** What is no number is refused by a store, and its record is kept. */
function turnOf(turn: unknown): number {
  return typeof turn === 'number' || typeof turn === 'string' ? Number(turn) + 1 : Number.NaN
}

function toolCallsOf(tools: JsonObject): Compaction['toolCalls'] | undefined {
  if (field(tools, 'policy') === 'omit') return 'omit'
  if (field(tools, 'policy') !== 'strip') return undefined
  if (field(tools, 'request') === true) return 'strip'
  return field(tools, 'response') === true ? 'strip-results' : undefined
}
