import {
  type ContentBlock,
  type Meta,
  type ToolResult,
  createErrorResult,
  createSuccessResult,
  isContentBlock,
  isJsonObject,
  withErrorDetails,
} from '@toolblocks/protocol'
import { type DisplayHints, describeValue } from '@toolblocks/protocol/internal'
import { text, type ToolContent, toBlocks } from './blocks.ts'

/** The common fields of all results. */
interface OutputFields {
  /** What a model reads, in this order. */
  readonly content: readonly ContentBlock[]
  readonly _meta?: Meta
}

/** A result with structured data. */
export interface StructuredOutput<Structured = unknown> extends OutputFields {
  readonly isError: false
  /** The structured data, or a semantic value with `kind` and `data`. */
  readonly structuredContent: Structured
}

/** The result of a call that failed. */
export interface FailureOutput extends OutputFields {
  readonly isError: true
  readonly structuredContent?: never
}

/** A complete result: from `structured`, `failure`, `table` and similar builders, or an object with `content`, `isError` and `structuredContent`. */
export type ToolOutput =
  | StructuredOutput
  | FailureOutput
  | (OutputFields & { readonly isError: boolean; readonly structuredContent?: unknown })

/** Structured data with a `kind`, by which a host shows it to a person (docs/semantic-results.md). */
interface SemanticValue<Data = unknown> {
  /** A kind of `docs/semantic-results.md`, or one of the tool's own, such as `git.status`. */
  readonly kind: string
  /** The data. `kind` decides its shape. */
  readonly data: Data
  /** One line that can stand for the value. */
  readonly summary?: string
  /** What `data` holds, such as `text/markdown`. */
  readonly mimeType?: string
  /** How a host may show it. */
  readonly display?: DisplayHints
}

/** What `run` may return without an `outputSchema`: a text, a block, several of them, or a whole result. */
export type ToolReturn = ToolContent | ToolOutput

/** What `run` must return with an `outputSchema`: the data, a result with the data (`structured`, `table`, …), or `failure`. */
export type StructuredReturn<Data> =
  | Data
  | StructuredOutput<Data | SemanticValue<Data>>
  | FailureOutput

/** Reads what a tool returned, behind the blocks that it showed before. Throws a `TypeError` for a value that cannot be a result. */
export function toResult(returned: unknown, shownBlocks: readonly ContentBlock[] = []): ToolResult {
  if (isToolContent(returned)) return createSuccessResult([...shownBlocks, ...toBlocks(returned)])
  if (!isToolOutput(returned))
    throw new TypeError(
      `run: expected a text, a block, an array of them, or a result such as structured(…) or failure(…), got ${describeReturned(returned)}`,
    )
  return withShown(returned, shownBlocks)
}

/** Reads what a tool with an `outputSchema` returned: whatever is not a whole result is the data. */
export function toStructuredResult(
  returned: unknown,
  shownBlocks: readonly ContentBlock[] = [],
): ToolResult {
  if (!isToolOutput(returned)) return withShown(structured(returned), shownBlocks)
  if (returned.isError || 'structuredContent' in returned) return withShown(returned, shownBlocks)
  throw new TypeError(
    'run: the tool has an outputSchema: expected the data, structured(…) or failure(…), got a result without structuredContent',
  )
}

function withShown(output: ToolOutput, shownBlocks: readonly ContentBlock[]): ToolResult {
  const { content, isError, _meta: meta } = output
  return {
    content: [...shownBlocks, ...content],
    isError,
    ...('structuredContent' in output && { structuredContent: output.structuredContent }),
    ...(meta && { _meta: meta }),
  }
}

function isToolContent(returned: unknown): returned is ToolContent {
  return Array.isArray(returned) ? returned.every(isPart) : isPart(returned)
}

function isPart(part: unknown): boolean {
  return typeof part === 'string' || isContentBlock(part)
}

function isToolOutput(returned: unknown): returned is ToolOutput {
  if (!isJsonObject(returned)) return false
  const { content, isError } = returned
  return Array.isArray(content) && content.every(isContentBlock) && typeof isError === 'boolean'
}

function describeReturned(returned: unknown): string {
  return returned === undefined ? 'nothing; return a value on each path' : describeValue(returned)
}

/** The type of a literal without the `readonly` that its inference adds. */
type Writable<Value> = Value extends (...args: never) => unknown
  ? Value
  : Value extends object
    ? { -readonly [Name in keyof Value]: Writable<Value[Name]> }
    : Value

/**
 * Makes a result with structured data for programs. Data with a `kind` and `data` is a semantic value, which a host shows to a person by its
 * kind. `modelContent` is for the model. Default: the data as JSON, behind the `summary` of a semantic value. Throws a `TypeError` for a value that
 * JSON cannot hold.
 */
export function structured<const Value>(
  value: Value,
  modelContent?: ToolContent,
): StructuredOutput<Writable<Value>> {
  return {
    content: modelContent === undefined ? [text(describeData(value))] : toBlocks(modelContent),
    isError: false,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same value: only its inferred type is readonly
    structuredContent: value as Writable<Value>,
  }
}

function describeData(value: unknown): string {
  const isSemantic = isJsonObject(value) && typeof value['kind'] === 'string' && 'data' in value
  const summary = isSemantic ? value['summary'] : undefined
  const json = writeJson(isSemantic ? value['data'] : value)
  return typeof summary === 'string' ? `${summary}\n\n${json}` : json
}

function writeJson(value: unknown): string {
  let json: string | undefined
  try {
    json = JSON.stringify(value)
  } catch (cause) {
    throw new TypeError(`structured data: expected JSON, got ${describeValue(value)}`, { cause })
  }
  if (json !== undefined) return json
  throw new TypeError(`structured data: expected JSON, got ${describeReturned(value)}`)
}

/** What else is known of a failure. */
export interface FailureOptions {
  /** Whether the same call may succeed later. Default: false. */
  readonly transient?: boolean
  /** The error that was caught. It and its causes become the trace. */
  readonly cause?: unknown
  /** Lines for people who look into the failure, outermost first. Default: the messages of `cause` and its causes. */
  readonly trace?: readonly string[]
}

/** Makes the result of a call that failed. `message` is for the model: what failed, and what to do about it. */
export function failure(message: string, options: FailureOptions = {}): FailureOutput {
  const {
    transient = false,
    cause,
    trace = cause === undefined ? [] : traceCauses(cause),
  } = options
  const { content, _meta: meta } = withErrorDetails(createErrorResult(message), {
    transient,
    trace,
  })
  return { content, isError: true, ...(meta && { _meta: meta }) }
}

/** The message of anything that was thrown. */
export function getMessage(thrown: unknown): string {
  if (thrown instanceof AggregateError && thrown.message === '')
    return thrown.errors.map(getMessage).join('; ')
  if (thrown instanceof Error) return thrown.message === '' ? thrown.name : thrown.message
  if (typeof thrown === 'string') return thrown
  return `${JSON.stringify(thrown) ?? typeof thrown} was thrown`
}

/** Causes that are followed. */
const MOST_CAUSES = 16

/** What was thrown and its causes, one line each, outermost first. */
function traceCauses(thrown: unknown): readonly string[] {
  const trace: string[] = []
  let cause = thrown
  while (cause !== undefined && trace.length < MOST_CAUSES) {
    trace.push(cause instanceof Error ? `${cause.name}: ${getMessage(cause)}` : getMessage(cause))
    cause = cause instanceof Error ? cause.cause : undefined
  }
  return trace
}

/** The result of a run that threw: what it had shown, why it failed, and the trace of its causes. */
export function thrownResult(
  tool: string,
  thrown: unknown,
  shownBlocks: readonly ContentBlock[] = [],
): ToolResult {
  const message = `The tool ${JSON.stringify(tool)} failed: ${getMessage(thrown)}`
  return withShown(failure(message, { cause: thrown }), shownBlocks)
}
