import {
  type ContentBlock,
  createSuccessResult,
  type JsonValue,
  type ToolResult,
} from '@toolblocks/protocol'
import { checkArguments } from '../arguments/check-arguments.ts'
import type { DefinedTool } from '../defined-tool.ts'
import { runToEnd } from '../live/run-to-end.ts'
import { toResult } from '../results/returned.ts'
import { createAsk } from './ask.ts'
import { failure } from './failure.ts'
import type { QuestionAsked } from './question-asked.ts'
import type { GivenRun } from './tool-run.ts'

/** How a call is run. */
export interface RunOptions {
  /** For each wait of a stateful tool without a question. */
  inputs?: readonly JsonValue[]
  /** Learns of what the tool threw. */
  onThrow?: (thrown: unknown) => void
}

/** Runs one call: checks its arguments, does the work. Never rejects: a failure is a result with its trace. */
export async function runCall(
  tool: DefinedTool,
  given: GivenRun,
  { inputs = [], onThrow }: RunOptions = {},
): Promise<ToolResult> {
  const shown: ContentBlock[] = []
  let asked: QuestionAsked | undefined
  const ask = createAsk(given.answers, (question) => (asked ??= question))
  try {
    const checked = await checkArguments(tool, given.arguments)
    if (!checked.ok) return checked.result
    const run = { ...given, arguments: checked.value }
    if (tool.work.stateful)
      return await runToEnd(tool.work.run(run), { answers: given.answers, inputs })
    const returned = await tool.work.run({
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
