import { type Approval, type ToolCall, type AnswerQuestion } from '@toolblocks/protocol'
import { createQueue } from '@toolblocks/protocol/internal'
import type { ApproveCall } from '@toolblocks/tool-executor'
import type { OnTurnEvent, TurnEvent } from '@toolblocks/agent'

/** The decision of a person about a call, and whether it is also a rule for later calls. */
export type ApprovalWithRule = Approval & {
  /** The rule: further calls of the tool run without a question, in this conversation or always. */
  remember?: 'conversation' | 'always'
}

/** Asks a person about one call; like `ApproveCall`. */
export type AskApproval = (
  call: ToolCall,
  material: Parameters<ApproveCall>[1] & {
    /** The position among the calls that wait for the same person. Default: the call is the only one. */
    position?: { number: number; of: number }
    /** The agents that started the call. Default: the call is from the conversation's model. */
    agents?: readonly string[]
  },
) => Promise<ApprovalWithRule>

/** The functions that ask the person at a screen. */
export interface AskedPeople {
  user?: AnswerQuestion
  approve?: AskApproval
}

/** The functions that ask at a screen, and the output on the same screen. */
export interface SharedScreen {
  people: AskedPeople
  /** Wraps a listener so that calls and results are printed only while no prompt is open. */
  showing(show: OnTurnEvent): OnTurnEvent
}

/** Events that are printed in complete lines, which an open prompt would erase. */
const PRINTED_BETWEEN_PROMPTS: ReadonlySet<TurnEvent['type']> = new Set([
  'call',
  'result',
  'answered',
  'delegated',
  'parked',
])

/** Whether the event is shown on the progress line, which does not disturb a prompt. */
function isProgress(moment: TurnEvent): boolean {
  if (moment.type === 'delegated') return isProgress(moment.moment)
  return moment.type === 'progress' || moment.type === 'ended'
}

/** Whether a prompt that shows the complete result follows directly. */
function asksPerson(moment: TurnEvent): boolean {
  if (moment.type === 'delegated') return asksPerson(moment.moment)
  return moment.type === 'result' && moment.result.metadata?.handle?.asks === 'user'
}

/** Prints prompts and results one after the other. A prompt that redraws itself would otherwise erase output that was printed meanwhile. */
export function shareScreen({ user, approve }: AskedPeople): SharedScreen {
  const inTurn = createQueue()
  /** Prints a result that waits for this person. It is dropped if a prompt shows the complete result instead. */
  let showHeld: (() => Promise<void>) | undefined

  return {
    people: {
      ...(user && {
        user: async (request, context) =>
          await inTurn(
            async () => {
              if (context.source.kind === 'handle') showHeld = undefined
              return await user(request, context)
            },
            {
              signal: context.signal,
              whenAborted: () => ({ action: 'cancel', reason: 'aborted' }),
            },
          ),
      }),
      ...(approve && {
        approve: async (call, material) =>
          await inTurn(async () => await approve(call, material), {
            signal: material.signal,
            whenAborted: () => ({ decision: 'cancelled' }),
          }),
      }),
    },
    showing: (show) => async (moment) => {
      if (isProgress(moment)) return await show(moment)
      const held = showHeld
      showHeld = undefined
      if (held) await inTurn(held)
      if (user && asksPerson(moment)) showHeld = async () => await show(moment)
      else if (PRINTED_BETWEEN_PROMPTS.has(moment.type))
        await inTurn(async () => await show(moment))
      else await show(moment)
    },
  }
}
