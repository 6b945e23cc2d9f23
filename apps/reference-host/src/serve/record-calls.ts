import type { CallTool } from '@toolblocks/protocol'
import type { CallRecord } from '../calls/record-call.ts'
import { beginConversation } from '../conversation-origin.ts'

/** Records every call of tools that work in a folder, and its result; calls that run at the same time are one turn. */
export function recordCalls(
  callTool: CallTool,
  { record, keepBytes }: CallRecord,
  folder: string,
): CallTool {
  let turn = 0
  let running = 0
  return async (call, context) => {
    running += 1
    if (running === 1) {
      turn += 1
      const first = turn === 1 ? [beginConversation({ command: 'serve', folder })] : []
      await record(...first, { type: 'turn_start', turn })
    }
    try {
      await record({ type: 'tool_call', call })
      const result = await callTool(call, { ...context, ...(keepBytes && { keepBytes }) })
      await record({ type: 'tool_result', result })
      return result
    } finally {
      running -= 1
    }
  }
}
