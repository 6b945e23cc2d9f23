import {
  type ContentBlock,
  createSuccessResult,
  type AnswerQuestion,
  type ToolCall,
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
  /** Answers what a stateful tool asks, and gives the input that it waits for, beside the answers that are known. Default: nobody does. */
  ask?: AnswerQuestion
  /** Gives the input for each wait without a question. Default: `ask`. */
  askInput?: AnswerQuestion
  /** As the host made it. Default: the call has no id. */
  call?: ToolCall
  /** Learns of what the tool threw. */
  onThrow?: (thrown: unknown) => void
}

/** Runs one call: checks its arguments, does the work. Never rejects: a failure is a result with its trace. */
export async function runCall(
  tool: DefinedTool,
  given: GivenRun,
  { ask: answer, askInput, call, onThrow }: RunOptions = {},
): Promise<ToolResult> {
  if (tool.work.stateful) {
    const { name, arguments: values } = given
    return await runToEnd(tool, given, {
      call: call ?? { id: '', name, arguments: values },
      ask: answer,
      askInput,
    })
  }
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
