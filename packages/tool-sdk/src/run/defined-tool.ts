import {
  type ContentBlock,
  type InputRequest,
  type JsonSchema,
  type JsonValue,
  type ToolDefinition,
  type ToolDescription,
} from '@toolblocks/protocol'
import { describeValue } from '@toolblocks/protocol/internal'
import { toBlocks } from '../results/blocks.ts'
import type { ToolReturn } from '../results/output.ts'
import type { Validate } from '../schemas/schema.ts'
import { ToolDefinitionError } from '../schemas/tool-definition-error.ts'
import type { FormatContext, LiveContext, RunContext } from './tool-context.ts'

/** What `run` of a stateful tool returns: a generator that yields text, blocks, results and `waiting(…)`, and gets the input that was waited for. */
export type LiveSteps<Return = ToolReturn> = AsyncGenerator<ToolReturn | Waiting, Return, JsonValue>

declare const INPUT: unique symbol

/** A tool that `defineTool` has made: pass it to `runTools`, `serveTools`, `toTool`, `testTool` or `describeTools`. */
export interface DefinedTool<Input = unknown> {
  /** The name under which a model calls it. */
  readonly name: string
  /** What a host, a model and a person know of the tool. */
  readonly definition: ToolDefinition
  /** How the tool describes itself to a host that starts it as a program (action `schema` of the protocol). */
  readonly description: ToolDescription
  /** Carries the type of the arguments. Never called. */
  [INPUT]?(input: Input): void
}

/** How a tool does its work. A stateful one returns a generator, and gets a context without questions. */
export interface Work {
  readonly stateful: boolean
  run(args: never, context: RunContext | LiveContext): unknown
}

/** A tool with all that only this package reads. */
export interface ToolParts {
  readonly name: string
  readonly definition: ToolDefinition
  readonly description: ToolDescription
  readonly work: Work
  /** Checks the arguments after the schema, and transforms them: of the library that made the schema. */
  readonly validate?: Validate
  /** What structured data must fit. */
  readonly output?: { readonly schema: JsonSchema; readonly validate?: Validate }
  /** Example arguments that could not be checked without the thorough check. */
  readonly uncheckedExamples: readonly unknown[]
  readonly formatArguments?: (args: never, context: FormatContext) => unknown
}

/** The key of a tool's parts. It is registered, so that several copies of this package read each other's tools. */
const PARTS = Symbol.for('@toolblocks/tool-sdk/parts')

/** Makes the tool that an author sees: the parts stand under a key that no completion lists. */
export function toDefinedTool(parts: ToolParts): DefinedTool {
  const { name, definition, description } = parts
  const tool = { name, definition, description }
  Object.defineProperty(tool, PARTS, { value: parts })
  return tool
}

/** Returns the parts of a tool that `defineTool` made, of this copy of the package or another. Throws a `ToolDefinitionError` for anything else. */
export function getParts(tool: DefinedTool): ToolParts {
  const parts: unknown =
    typeof tool === 'object' && tool !== null ? Reflect.get(tool, PARTS) : undefined
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only `toDefinedTool` writes under this key
  if (parts !== undefined) return parts as ToolParts
  throw new ToolDefinitionError(
    'not-a-tool',
    `expected a tool that defineTool made, got ${describeValue(tool)}; pass the tool itself, not a copy of it`,
  )
}

/** What a stateful tool yields when it needs input to go on. */
export interface Waiting {
  readonly type: 'waiting'
  /** Shown before the question. */
  readonly content: readonly ContentBlock[]
  /** Absent: any input is taken. */
  readonly question?: InputRequest
}

/**
 * Waits for input in a stateful tool: `const input = yield waiting('Which file?')` returns the input that is given next. With a question
 * (`booleanQuestion`, `selectQuestion`, `textQuestion`, or one with a schema of its own) it is asked, and the answer is returned. Text and
 * blocks behind it are shown before the question.
 */
export function waiting(
  prompt: string | InputRequest,
  ...content: readonly (string | ContentBlock)[]
): Waiting {
  return typeof prompt === 'string'
    ? { type: 'waiting', content: [...toBlocks(content), { type: 'text', text: prompt }] }
    : { type: 'waiting', content: toBlocks(content), question: prompt }
}

/** Says whether a tool yielded a `Waiting`. */
export function isWaiting(yielded: unknown): yielded is Waiting {
  return (
    typeof yielded === 'object' &&
    yielded !== null &&
    'type' in yielded &&
    yielded.type === 'waiting'
  )
}
