import { type ContentBlock, createSuccessResult, type ToolResult } from '@toolblocks/protocol'
import { checkArguments } from '../arguments/check-arguments.ts'
import type { DefinedTool } from '../defined-tool.ts'
import { runToEnd, type WaitOptions } from '../live/run-to-end.ts'
import { toResult } from '../results/returned.ts'
import { createAsk } from './ask.ts'
import { failure } from './failure.ts'
import type { QuestionAsked } from './question-asked.ts'
import type { GivenRun } from './tool-run.ts'

/** How a call is run. */
export interface RunOptions extends WaitOptions {
  /** Learns of what the tool threw. */
  onThrow?: (thrown: unknown) => void
}

/** Runs one call: checks its arguments, does the work. Never rejects: a failure is a result with its trace. */
export async function runCall(
  tool: DefinedTool,
  given: GivenRun,
  { onThrow, ...waits }: RunOptions = {},
): Promise<ToolResult> {
  if (tool.work.stateful) return await runToEnd(tool, given, waits)
  const { run: work } = tool.work
  const shown: ContentBlock[] = []
  let asked: QuestionAsked | undefined
  const ask = createAsk(given.answers, (question) => (asked ??= question))
  try {
    const checked = await checkArguments(tool, given.arguments)
    if (!checked.ok) return checked.result
    const run = { ...given, arguments: checked.value }
    const returned = await work({
      ...run,
      ask,
      show: (...blocks) => void shown.push(...blocks),
    })
    // A question that the tool caught on its way is asked all the same.
    return asked ? questionResult(shown, asked) : toResult(returned, shown)
  } catch (thrown) {
    if (asked) return questionResult(shown, asked)
    onThrow?.(thrown)
    return failure(tool.name, thrown, shown)
  }
}

function questionResult(shown: readonly ContentBlock[], { request }: QuestionAsked): ToolResult {
  return createSuccessResult([...shown, { type: 'question', question: request }])
}
