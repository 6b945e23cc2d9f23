import type { ContentBlock, JsonValue, ToolDefinition, ToolDescription } from '@toolblocks/protocol'
import type { Waiting } from './live/waiting.ts'
import type { Returned } from './results/returned.ts'
import type { FormatRun, LiveRun, ToolRun } from './run/tool-run.ts'
import type { Validate } from './schemas/read-schema.ts'

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
