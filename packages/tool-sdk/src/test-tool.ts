import {
  type AnswerQuestion,
  type Answers,
  type JsonValue,
  type Progress,
  type ToolResult,
  isJsonObject,
} from '@toolblocks/protocol'
import { checkExamplesThoroughly } from './definition/check-examples.ts'
import { type DefinedTool, getParts } from './run/defined-tool.ts'
import { runCall } from './run/run-call.ts'
import type { LogLevel } from './run/tool-context.ts'

/** What a tool meets in a test, beside its arguments. */
export interface TestOptions {
  /** Answers by question id. A question without one ends the run, and is the last block of the result. Default: none. */
  readonly answers?: Answers
  /** The input that a stateful tool gets at each wait without a question, in this order. Default: none. */
  readonly inputs?: readonly JsonValue[]
  /** The tool's own settings. Default: `{}`. */
  readonly options?: Readonly<Record<string, unknown>>
  /** The absolute path of the workspace. Default: the current directory. */
  readonly root?: string
  /** Default: a signal that never aborts. */
  readonly signal?: AbortSignal
  /** Gets what the tool reports with `context.progress`. */
  readonly onProgress?: (progress: Progress) => void
  /** Gets what the tool writes with `context.log`. Default: it is dropped. */
  readonly onLog?: (level: LogLevel, message: string) => void
}

/**
 * Runs a tool as a host does, in this process, for a unit test. A failure of the tool is a result with `isError`. Rejects with a `ToolDefinitionError` only
 * where the definition is wrong: an example that does not fit `inputSchema`.
 */
export async function testTool<Input>(
  tool: DefinedTool<Input>,
  args: NoInfer<Input>,
  options: TestOptions = {},
): Promise<ToolResult> {
  const parts = getParts(tool)
  await checkExamplesThoroughly(parts)
  const { answers = {}, inputs = [], root = process.cwd(), signal, onProgress, onLog } = options
  const givenCall = {
    call: { id: 'test', name: parts.name, arguments: isJsonObject(args) ? args : {} },
    answers,
    options: options.options ?? {},
    root,
    signal: signal ?? new AbortController().signal,
    reports: { progress: onProgress ?? ignore, log: onLog ?? ignore },
  }
  return await runCall(parts, givenCall, { askInput: giveInOrder(inputs) })
}

function ignore(): void {}

function giveInOrder(inputs: readonly JsonValue[]): AnswerQuestion {
  const left = inputs.values()
  return async () => {
    const next = left.next()
    return next.done === true
      ? { action: 'cancel', reason: 'nobody' }
      : { action: 'accept', value: next.value }
  }
}
