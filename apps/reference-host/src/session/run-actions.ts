import type { ToolResult } from '@toolblocks/protocol'
import type { LiveUse } from './open-live-call.ts'
import type { Step } from './read-actions.ts'
import { showInteractions } from './show-interactions.ts'

/** What came of a script: every result in its order, and the first step that was not done, in words. */
export interface RanActions {
  results: readonly ToolResult[]
  problem?: string
}

/** Starts a call, does the steps one after the other, and aborts what is left. */
export async function runActions(
  live: LiveUse,
  steps: readonly Step[],
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
  for (const step of steps) {
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
