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
    fromTurn: Number(field(record, 'from_turn')) + 1,
    toTurn: Number(field(record, 'to_turn')) + 1,
    ...(typeof summary === 'string' && { summary }),
    ...(field(record, 'reasoning') === 'strip' && { reasoning: 'strip' }),
    ...(toolCalls && { toolCalls }),
  }
}

function toolCallsOf(tools: JsonObject): Compaction['toolCalls'] | undefined {
  if (field(tools, 'policy') === 'omit') return 'omit'
  if (field(tools, 'policy') !== 'strip') return undefined
  if (field(tools, 'request') === true) return 'strip'
  return field(tools, 'response') === true ? 'strip-results' : undefined
}
