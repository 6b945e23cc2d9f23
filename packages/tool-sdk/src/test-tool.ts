import {
  type AnswerQuestion,
  type Answers,
  isJsonObject,
  type JsonValue,
  type ToolResult,
} from '@toolblocks/protocol'
import type { DefinedTool } from './run/defined-tool.ts'
import { runCall } from './run/run-call.ts'

/** What else a tool meets in a test. */
export interface TestOptions {
  /** By question id. A question without one ends the run, and is the last block of the result. */
  readonly answers?: Answers
  /** For a stateful tool: what it gets at each wait without a question, in their order. */
  readonly inputs?: readonly JsonValue[]
  /** The tool's settings. */
  readonly options?: Readonly<Record<string, unknown>>
  /** Absolute path of the workspace. Default: the current directory. */
  readonly root?: string
  readonly signal?: AbortSignal
}

/** Runs a tool as a host would, in this process, for a unit test. Never rejects: a failure is a result with `isError`. */
export async function testTool<Input>(
  tool: DefinedTool<Input>,
  values: NoInfer<Input>,
  { answers = {}, inputs = [], options = {}, root = process.cwd(), signal }: TestOptions = {},
): Promise<ToolResult> {
  const given = {
    name: tool.name,
    arguments: isJsonObject(values) ? values : {},
    answers,
    options,
    root,
  }
  return await runCall(
    tool,
    { ...given, signal: signal ?? new AbortController().signal },
    { askInput: giveInOrder(inputs) },
  )
}

function giveInOrder(inputs: readonly JsonValue[]): AnswerQuestion {
  const left = inputs.values()
  return async () => {
    const next = left.next()
    return next.done === true
      ? { action: 'cancel', reason: 'nobody' }
      : { action: 'accept', value: next.value }
  }
}
