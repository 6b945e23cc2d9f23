import {
  type AnswerQuestion,
  type ContentBlock,
  type ToolCall,
  type ToolResult,
  createErrorResult,
  createSuccessResult,
  isContentBlock,
  runLiveCall,
} from '@toolblocks/protocol'
import { failure, text, toResult } from '../results/returned.ts'
import { type QuestionAsked, createAsk } from './ask.ts'
import { checkArguments } from './check-arguments.ts'
import type { DefinedTool, GivenRun } from './defined-tool.ts'
import { spawnCall } from './start-live-run.ts'

/** How a call is run; but for `onThrow`, who gives a stateful tool what it waits for, beside the answers that are known. */
export interface RunOptions {
  /** As the host made it. Default: the call has no id. */
  call?: ToolCall
  /** Answers its questions. Default: nobody does. */
  ask?: AnswerQuestion
  /** Gets the input for each wait without a question. Default: `ask`. */
  askInput?: AnswerQuestion
  /** Learns of what the tool threw. */
  onThrow?: (thrown: unknown) => void
}

/** Runs one call: checks its arguments, does the work. Never rejects: a failure is a result with its trace. */
export async function runCall(
  tool: DefinedTool,
  given: GivenRun,
  { onThrow, ...waits }: RunOptions = {},
): Promise<ToolResult> {
  if (tool.work.stateful) {
    const { answers, signal, name } = given
    const call = { id: '', name, arguments: given.arguments }
    // It stays alive while it is given what it waits for.
    return await runLiveCall(await spawnCall(tool, given), { call, ...waits, answers, signal })
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

/** Shows a call to a person before it runs. Never rejects; an error result keeps the call from running. */
export async function formatCall(tool: DefinedTool, given: GivenRun): Promise<ToolResult> {
  if (!tool.formatArguments)
    return createErrorResult(`The tool ${JSON.stringify(tool.name)} does not format its arguments.`)
  try {
    const checked = await checkArguments(tool, given.arguments)
    if (!checked.ok) return checked.result
    const formatted = await tool.formatArguments({ ...given, arguments: checked.value })
    if (typeof formatted === 'string') return toResult(text(formatted))
    return isContentBlock(formatted) || Array.isArray(formatted)
      ? toResult(formatted)
      : failure(tool.name, new TypeError('formatArguments returns a text or blocks'))
  } catch (thrown) {
    return failure(tool.name, thrown)
  }
}
