import { type Approval, type ToolCall, type AnswerQuestion } from '@toolblocks/protocol'
import { createQueue } from '@toolblocks/protocol/limits'
import type { ApproveCall } from '@toolblocks/tool-executor'
import type { OnTurnEvent, TurnEvent } from '@toolblocks/agent'

/** What a person decided, and for how long. */
export type LastingApproval = Approval & {
  /** Further calls of the tool run unasked, in this conversation or always. */
  remember?: 'conversation' | 'always'
}

/** Asks a person about one call; as `ApproveCall`. */
export type AskApproval = (
  call: ToolCall,
  material: Parameters<ApproveCall>[1] & {
    /** Where it stands among those that wait for the same person. Default: it is alone. */
    place?: { number: number; of: number }
    /** The agents by which it was started. Default: the call is of the conversation's model. */
    agents?: readonly string[]
  },
) => Promise<LastingApproval>

/** Who is asked on a screen. */
export interface AskedPeople {
  user?: AnswerQuestion
  approve?: AskApproval
}

/** Who is asked on a screen, and what is shown there. */
export interface SharedScreen {
  people: AskedPeople
  /** Calls and results wait for the prompt that is open, and a prompt for them. */
  showing(show: OnTurnEvent): OnTurnEvent
}

/** What is written in whole lines, at any time. */
const NOT_BESIDE_A_PROMPT: ReadonlySet<TurnEvent['type']> = new Set([
  'call',
  'result',
  'answered',
  'delegated',
])

/** Whether it is told on a line that is out of the way of a prompt. */
function isProgress(moment: TurnEvent): boolean {
  if (moment.type === 'delegated') return isProgress(moment.moment)
  return moment.type === 'progress' || moment.type === 'ended'
}

/** Whether a person is asked right after it, with a prompt that shows all of it. */
function asksPerson(moment: TurnEvent): boolean {
  if (moment.type === 'delegated') return asksPerson(moment.moment)
  return moment.type === 'result' && moment.result.metadata?.handle?.asks === 'user'
}

/** Lets prompts and results take turns: a prompt that draws itself anew would erase what was shown meanwhile. */
export function shareScreen({ user, approve }: AskedPeople): SharedScreen {
  const inTurn = createQueue()
  /** Shows a result that waits for this person; a prompt that shows all of it takes its place. */
  let showHeld: (() => Promise<void>) | undefined

  return {
    people: {
      ...(user && {
        user: async (request, context) =>
          await inTurn(async () => {
            if (context.source.kind === 'handle') showHeld = undefined
            return await user(request, context)
          }),
      }),
      ...(approve && {
        approve: async (...asked) => await inTurn(async () => await approve(...asked)),
      }),
    },
    showing: (show) => async (moment) => {
      if (isProgress(moment)) return await show(moment)
      const held = showHeld
      showHeld = undefined
      if (held) await inTurn(held)
      if (user && asksPerson(moment)) showHeld = async () => await show(moment)
      else if (NOT_BESIDE_A_PROMPT.has(moment.type)) await inTurn(async () => await show(moment))
      else await show(moment)
    },
  }
}
