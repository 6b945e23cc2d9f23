import type { AnswerQuestion, ToolResult } from '@toolblocks/protocol'
import { readAnswer } from '../calls/read-answer.ts'
import type { LiveUse } from './open-live-call.ts'
import type { Step } from './read-actions.ts'
import { showInteractions } from './show-interactions.ts'

/** What came of a script: every result in its order, and the first step that was not done, in words. */
export interface RanActions {
  results: readonly ToolResult[]
  problem?: string
}

/** Starts a call, takes one step after the other from the list, and aborts what is left. */
export async function runActions(
  live: LiveUse,
  steps: Step[],
  show: (result: ToolResult) => void,
): Promise<RanActions> {
  const results: ToolResult[] = []
  const noting: LiveUse = {
    ...live,
    answer: async () => {
      const answered = await live.answer()
      if (answered) results.push(answered.result)
      return answered
    },
  }
  const note = async (result: ToolResult): Promise<void> => {
    results.push(result)
    await showInteractions(noting, result, show)
  }
  await note(await live.start())
  for (let step = steps.shift(); step; step = steps.shift()) {
    const acted = live.hasStopped() ? ENDED : await live.act(step)
    if (!acted.ok) {
      await end(live)
      const typed = step.action === 'apply' ? `apply=${step.text}` : step.action
      return { results, problem: `--action ${JSON.stringify(typed)}: ${acted.message}` }
    }
    await note(acted.result)
  }
  await end(live)
  return { results }
}

const ENDED = { ok: false, message: 'not done; the call had ended before' } as const

/** Aborts what still lives; what it says to that is nobody's question. */
async function end(live: LiveUse): Promise<void> {
  if (!live.hasStopped()) await live.act({ action: 'abort' })
}

/** Answers a question with the next step of a script, where that is a text. */
export function answerBySteps(steps: Step[]): AnswerQuestion {
  return async (request) => {
    const [next] = steps
    if (next?.action !== 'apply') return { action: 'cancel', reason: 'nobody' }
    steps.shift()
    const read = await readAnswer(next.text, request)
    if (read.ok) return { action: 'accept', value: read.value }
    const typed = JSON.stringify(`apply=${next.text}`)
    return { action: 'cancel', reason: 'failed', message: `--action ${typed}: ${read.message}` }
  }
}
