import type { ToolResult } from '@toolblocks/protocol'
import type { LiveUse } from './open-live-call.ts'

/**
 * Shows a result, and has people answer what the call waits for, until it waits for nobody: each result is shown once. What somebody was asked
 * about they have seen with the question.
 */
export async function showInteractions(
  live: LiveUse,
  first: ToolResult,
  show: (result: ToolResult) => void,
): Promise<ToolResult> {
  let result = first
  for (;;) {
    const answered = await live.answer()
    if (!answered?.wasAsked) show(result)
    if (!answered) return result
    result = answered.result
  }
}
