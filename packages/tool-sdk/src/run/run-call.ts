import {
  type AnswerQuestion,
  type ContentBlock,
  type ToolResult,
  createErrorResult,
  createSuccessResult,
  isContentBlock,
} from '@toolblocks/protocol'
import { toBlocks } from '../results/blocks.ts'
import { thrownResult, toResult, toStructuredResult } from '../results/output.ts'
import { type QuestionAsked, createAsk } from './ask.ts'
import { checkArguments, checkOutput } from './check-arguments.ts'
import type { ToolParts } from './defined-tool.ts'
import { createContext, type GivenCall, type RunContext } from './tool-context.ts'

/** How a call is run. All but `onThrow` is for a stateful tool, which is given what it waits for. */
export interface RunCallOptions {
  /** Answers its questions. Default: nobody answers. */
  ask?: AnswerQuestion
  /** Gives the input for each wait without a question. Default: `ask`. */
  askInput?: AnswerQuestion
  /** Gets what the tool threw. */
  onThrow?: (thrown: unknown) => void
}

/** Runs one call: checks its arguments, does the work, checks what it returned. Never rejects: a failure is a result with its trace. */
export async function runCall(
  tool: ToolParts,
  givenCall: GivenCall,
  { onThrow, ...waits }: RunCallOptions = {},
): Promise<ToolResult> {
  let hasEnded = false
  try {
    return tool.work.stateful
      ? await runToEnd(tool, givenCall, { waits, isOver: () => hasEnded })
      : await runOnce(tool, givenCall, { onThrow, isOver: () => hasEnded })
  } finally {
    hasEnded = true
  }
}

/** A stateful tool stays alive while it is given what it waits for. */
async function runToEnd(
  tool: ToolParts,
  givenCall: GivenCall,
  { waits, isOver }: { waits: Omit<RunCallOptions, 'onThrow'>; isOver: () => boolean },
): Promise<ToolResult> {
  // Most tools run once, and most programs run one of those: they start without the code for the others.
  const { runLiveCall, spawnCall } = await import('./start-live-run.ts')
  const { answers, signal, call } = givenCall
  return await runLiveCall(await spawnCall(tool, givenCall, isOver), {
    call,
    ...waits,
    answers,
    signal,
  })
}

async function runOnce(
  tool: ToolParts,
  givenCall: GivenCall,
  { onThrow, isOver }: { onThrow: RunCallOptions['onThrow']; isOver: () => boolean },
): Promise<ToolResult> {
  const { work } = tool
  const shownBlocks: ContentBlock[] = []
  let asked: QuestionAsked | undefined
  const ask = createAsk(givenCall.answers, (question) => (asked ??= question))
  const context: RunContext = {
    ...createContext(givenCall, isOver),
    ask,
    show: (...content) => void shownBlocks.push(...toBlocks(content)),
  }
  try {
    const checked = await checkArguments(tool, givenCall.call.arguments)
    if (!checked.ok) return checked.result
    const returned = await work.run(checked.value, context)
    // A question that the tool caught on its way is asked all the same.
    if (asked) return questionResult(shownBlocks, asked)
    return tool.output
      ? await checkOutput(tool, toStructuredResult(returned, shownBlocks))
      : toResult(returned, shownBlocks)
  } catch (thrown) {
    if (asked) return questionResult(shownBlocks, asked)
    onThrow?.(thrown)
    return thrownResult(tool.name, thrown, shownBlocks)
  }
}

function questionResult(
  shownBlocks: readonly ContentBlock[],
  { request }: QuestionAsked,
): ToolResult {
  return createSuccessResult([...shownBlocks, { type: 'question', question: request }])
}

/** Shows a call to a person before it runs. Never rejects; an error result keeps the call from running. */
export async function formatCall(tool: ToolParts, givenCall: GivenCall): Promise<ToolResult> {
  const { name, formatArguments } = tool
  if (!formatArguments)
    return createErrorResult(`The tool ${JSON.stringify(name)} does not format its arguments.`)
  try {
    const checked = await checkArguments(tool, givenCall.call.arguments)
    if (!checked.ok) return checked.result
    const { answers: _answers, ...known } = givenCall
    const {
      progress: _progress,
      answers: _none,
      ...context
    } = createContext({ ...known, answers: {} }, () => true)
    const formatted = await formatArguments(checked.value, context)
    return isFormatted(formatted)
      ? toResult(formatted)
      : thrownResult(
          name,
          new TypeError('formatArguments: expected a text, a block or an array of them'),
        )
  } catch (thrown) {
    return thrownResult(name, thrown)
  }
}

function isFormatted(value: unknown): boolean {
  return typeof value === 'string' || isContentBlock(value) || Array.isArray(value)
}
