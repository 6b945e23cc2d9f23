import type { Answers, ContentBlock } from '@toolblocks/protocol'
import type { Ask } from './ask.ts'

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
