import { type Approval, booleanQuestion, type CallTool } from '@toolblocks/protocol'
import type { ApproveCall } from '@toolblocks/tool-executor'

/** Has the user of a client say whether a call may run, through the call itself. */
export interface ClientApproval {
  approve: ApproveCall
  /** Makes calls whose clients can be asked; ids of calls are unique. */
  during(callTool: CallTool): CallTool
}

const HOW_TO_SETTLE =
  'its user was not asked; whoever configured the tool can say run = "unattended", or start "toolblocks serve" with --trust-client, which takes the approval of the client'

/** Makes an approval that asks whoever made the call; a client that cannot ask is told how to settle it. */
export function createClientApproval(): ClientApproval {
  const running = new Map<string, Parameters<CallTool>[1]>()
  return {
    during: (callTool) => async (call, context) => {
      running.set(call.id, context)
      try {
        return await callTool(call, context)
      } finally {
        running.delete(call.id)
      }
    },
    approve: async (call, { formatted, signal }): Promise<Approval> => {
      const user = running.get(call.id)?.ask?.user
      if (!user) return { decision: 'denied', reason: HOW_TO_SETTLE }
      const text = `Run ${call.name}?`
      const answer = await user(booleanQuestion({ id: 'run', text }), {
        blocks: formatted?.content ?? [
          { type: 'text', text: JSON.stringify(call.arguments, null, 2) },
        ],
        source: { kind: 'question', call },
        signal,
      })
      switch (answer.action) {
        case 'accept':
          return answer.value === true
            ? { decision: 'allowed' }
            : { decision: 'denied', reason: 'by the user' }
        case 'decline':
          return { decision: 'denied', reason: 'by the user' }
        case 'cancel':
          return answer.reason === 'nobody' || answer.reason === 'failed'
            ? { decision: 'denied', reason: HOW_TO_SETTLE }
            : { decision: 'cancelled' }
      }
    },
  }
}
