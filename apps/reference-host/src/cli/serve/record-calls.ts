import type { ConversationEvent } from '@toolblocks/conversation-store'
import type { Approval, ExecuteCall, ToolCall } from '@toolblocks/protocol'
import {
  beginConversation,
  type ConversationOrigin,
} from '../../workspace/conversations/conversation-origin.ts'
import type { CallRecord } from '../../workspace/conversations/record-call.ts'

/** The turns of a recorded conversation. */
export interface ServiceTurns {
  /** The number of the last one. */
  last: number
  /** The number of calls that run. */
  running: number
}

/**
 * Records every call of tools that work in a folder, and its result. Calls that run at the same time are one turn. `isParked`: whether a call has no result yet, because
 * a later host continues it.
 */
export function recordCalls(
  callTool: ExecuteCall,
  { record, keepBytes }: CallRecord,
  origin: Omit<ConversationOrigin, 'command'>,
  {
    turns = { last: 0, running: 0 },
    isParked = () => false,
  }: { turns?: ServiceTurns | undefined; isParked?: (call: string) => boolean } = {},
): ExecuteCall {
  return async (call, context) => {
    turns.running += 1
    const starts: ConversationEvent[] = []
    if (turns.running === 1) {
      turns.last += 1
      const turn = turns.last
      const first = turn === 1 ? [beginConversation({ command: 'serve', ...origin })] : []
      starts.push(...first, { type: 'turn_start', turn })
    }
    try {
      await record(...starts, { type: 'tool_call', call })
      const result = await callTool(call, { ...context, ...(keepBytes && { keepBytes }) })
      if (!isParked(call.id)) await record({ type: 'tool_result', result })
      return result
    } finally {
      turns.running -= 1
    }
  }
}

/** Records the answers that a call received from an earlier host, before it continues. */
export function recordAnswers(
  execute: ExecuteCall,
  { record }: Pick<CallRecord, 'record'>,
): ExecuteCall {
  return async (call, context) => {
    const { answered = [] } = context
    const events = answered.flatMap(({ request, answer }): ConversationEvent[] => {
      const { id } = request
      const about = { id, callId: call.id }
      return [
        { type: 'question', ...about, question: request, asked: 'user', isRepeatable: true },
        answer.action === 'cancel'
          ? { type: 'answer', ...about, action: 'cancel', reason: answer.reason }
          : { type: 'answer', ...about, ...answer },
      ]
    })
    if (events.length > 0) await record(...events)
    return await execute(call, context)
  }
}

/** Returns the event of a person's decision. */
export function toApprovalEvent({ id }: ToolCall, approval: Approval): ConversationEvent {
  const { decision } = approval
  const reason = 'reason' in approval ? approval.reason : undefined
  return {
    type: 'approval',
    callId: id,
    decision,
    by: 'user',
    ...(reason !== undefined && { reason }),
  }
}
