import type {
  Answers,
  ContentBlock,
  InputRequest,
  JsonValue,
  ToolDefinition,
  ToolDescription,
} from '@toolblocks/protocol'
import { type Returned, text } from '../results/returned.ts'
import type { Validate } from '../schemas/read-schema.ts'
import type { Ask } from './ask.ts'

/** What a stateful tool runs as. */
export type LiveSteps<Structured = unknown> = AsyncGenerator<
  Returned<Structured> | Waiting,
  Returned<Structured> | void,
  JsonValue
>

/** How a tool does its work. */
export type Work =
  | { readonly stateful: false; run(run: ToolRun<never>): unknown }
  | { readonly stateful: true; run(run: LiveRun<never>): LiveSteps }

/** A tool that `defineTool` has made: for `runTools`, `toTool`, `testTool` and `describeTools`. */
export interface DefinedTool<Input = unknown> {
  readonly name: string
  /** What a host, a model and a person need to know of it. */
  readonly definition: ToolDefinition
  /** The same, as it says it of itself. */
  readonly description: ToolDescription
  /** Checks arguments after the schema, and changes them: of the library that made it. */
  readonly validate?: Validate
  readonly work: Work
  readonly formatArguments?: (run: FormatRun<never>) => Promise<unknown>
  /** Of the arguments, for types only. */
  input?(input: Input): void
}

/** What `formatArguments` may return. */
export type Formatted = string | ContentBlock | readonly ContentBlock[]

/** What a run knows, however it is run. */
interface AnyRun<Arguments> {
  /** The name under which the tool was called. */
  readonly name: string
  /** Checked against the schema. */
  readonly arguments: Arguments
  /** What was answered so far, by question id. */
  readonly answers: Answers
  /** The tool's own settings from the configuration. */
  readonly options: Readonly<Record<string, unknown>>
  /** Absolute path of the workspace; for a program, its current directory too. */
  readonly root: string
  readonly workspaceId?: string
  readonly conversationId?: string
  /** Aborts when the call is cancelled or its time is over: end soon. */
  readonly signal: AbortSignal
}

/** What `run` gets for one call. */
export interface ToolRun<Arguments = unknown> extends AnyRun<Arguments> {
  /** Asks for what is missing. */
  readonly ask: Ask
  /** Puts blocks before a question, or before what the run returns. */
  readonly show: (...blocks: readonly ContentBlock[]) => void
}

/** What `run` of a stateful tool gets: it shows by `yield`, and asks by `yield waiting(…)`. */
export type LiveRun<Arguments = unknown> = AnyRun<Arguments>

/** What `formatArguments` gets. */
export type FormatRun<Arguments = unknown> = Omit<AnyRun<Arguments>, 'answers'>

/** A call before its arguments are checked. */
export type GivenRun = AnyRun<Readonly<Record<string, unknown>>>

/** What a stateful tool yields when it can go on only with what somebody gives it. */
export interface Waiting {
  readonly type: 'waiting'
  /** Shown first. */
  readonly content: readonly ContentBlock[]
  /** Absent: any input will do. */
  readonly question?: InputRequest
}

/**
 * Waits for input: `const input = yield waiting('Which file?')` gives what is applied next. With a question (`booleanQuestion`,
 * `selectQuestion`, `textQuestion`, or one with a schema of its own) it is put to whoever answers questions, and the answer is given; the
 * blocks are shown before it.
 */
export function waiting(
  prompt: string | InputRequest,
  ...blocks: readonly ContentBlock[]
): Waiting {
  return typeof prompt === 'string'
    ? { type: 'waiting', content: [...blocks, text(prompt)] }
    : { type: 'waiting', content: blocks, question: prompt }
}

/** Says whether what a tool yielded is a `Waiting`. */
export function isWaiting(yielded: unknown): yielded is Waiting {
  return (
    typeof yielded === 'object' &&
    yielded !== null &&
    'type' in yielded &&
    yielded.type === 'waiting'
  )
}
