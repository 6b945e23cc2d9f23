import {
  type Annotations,
  type ContentBlock,
  type Meta,
  type TextContent,
  type ToolResult,
  createErrorResult,
  createSuccessResult,
  describeValue,
  isContentBlock,
  isJsonObject,
  withErrorDetails,
} from '@toolblocks/protocol'

/** A result as a tool writes it; `Structured` is the type of what goes to programs. */
export interface Output<Structured = unknown> {
  readonly content: readonly ContentBlock[]
  readonly isError: boolean
  readonly structuredContent?: Structured
  readonly _meta?: Meta
}

/** What a tool returns: one block, several, or a whole result (`error`, `value`). */
export type Returned<Structured = unknown> =
  | ContentBlock
  | readonly ContentBlock[]
  | Output<Structured>

/** Reads what a tool returned, with the blocks it had shown before. Throws for what is none of it. */
export function toResult(returned: unknown, shown: readonly ContentBlock[] = []): ToolResult {
  if (isContentBlock(returned)) return createSuccessResult([...shown, returned])
  if (Array.isArray(returned) && returned.every(isContentBlock))
    return createSuccessResult([...shown, ...returned])
  if (!isOutput(returned)) throw new TypeError(explain(returned))
  const { content, isError, _meta: meta } = returned
  return {
    content: [...shown, ...content],
    isError,
    ...('structuredContent' in returned && { structuredContent: returned.structuredContent }),
    ...(meta && { _meta: meta }),
  }
}

function isOutput(returned: unknown): returned is Output {
  if (!isJsonObject(returned)) return false
  const { content, isError } = returned
  return Array.isArray(content) && content.every(isContentBlock) && typeof isError === 'boolean'
}

function explain(returned: unknown): string {
  const got = returned === null ? 'null' : Array.isArray(returned) ? 'an array' : typeof returned
  return `a tool returns a block, an array of blocks, error(…) or value(…), got ${got}`
}

/** Makes a block of words, which reach a model as they are. `mimeType`, such as `text/markdown`, is for people's hosts. */
export function text(
  words: string,
  options: { readonly mimeType?: string; readonly annotations?: Annotations } = {},
): TextContent {
  return { type: 'text', text: words, ...options }
}

/**
 * Makes a result of a JSON value and the words for it. A value with a `kind` and `data` (a table, a diff, …) is shown to people by what it
 * is; any other is for programs. A model gets the words. Throws without words.
 */
export function value<Structured>(
  structuredContent: Structured,
  words: string | ContentBlock | readonly ContentBlock[],
): Output<Structured> {
  return { content: getBlocks(words), isError: false, structuredContent }
}

function getBlocks(
  words: string | ContentBlock | readonly ContentBlock[],
): readonly ContentBlock[] {
  if (typeof words === 'string') return [text(words)]
  // Untyped tools leave them out.
  if (typeof words !== 'object' || words === null)
    throw new TypeError(
      `value(structured, words) needs words for the model: expected a text, a block or an array of blocks, got ${describeValue(words)}`,
    )
  return 'type' in words ? [words] : words
}

/** What else is known of a failure. */
export interface ErrorOptions {
  /** The same call may work later. Default: false. */
  readonly transient?: boolean
  /** What was caught: it and its causes become the trace. */
  readonly cause?: unknown
  /** For people who look into it, outermost first; instead of the one of `cause`. */
  readonly trace?: readonly string[]
}

/** Makes the result of a call that failed. The message is for the model: what went wrong, and what would help. */
export function error(message: string, options: ErrorOptions = {}): Output<never> {
  const { transient = false, cause, trace = cause === undefined ? [] : getTrace(cause) } = options
  const {
    content,
    isError,
    _meta: meta,
  } = withErrorDetails(createErrorResult(message), {
    transient,
    trace,
  })
  return { content, isError, ...(meta && { _meta: meta }) }
}

/** What was thrown, in words. */
export function getMessage(thrown: unknown): string {
  if (thrown instanceof AggregateError && thrown.message === '')
    return thrown.errors.map(getMessage).join('; ')
  if (thrown instanceof Error) return thrown.message === '' ? thrown.name : thrown.message
  if (typeof thrown === 'string') return thrown
  return `${JSON.stringify(thrown) ?? typeof thrown} was thrown`
}

/** Causes that are followed. */
const MAX_CAUSES = 16

/** What was thrown and its causes, one line each, outermost first. */
function getTrace(thrown: unknown): readonly string[] {
  const trace: string[] = []
  let cause = thrown
  while (cause !== undefined && trace.length < MAX_CAUSES) {
    trace.push(cause instanceof Error ? `${cause.name}: ${getMessage(cause)}` : getMessage(cause))
    cause = cause instanceof Error ? cause.cause : undefined
  }
  return trace
}

/** The result of a run that threw: what it had shown, why it ended, and the trace of its causes. */
export function failure(
  tool: string,
  thrown: unknown,
  shown: readonly ContentBlock[] = [],
): ToolResult {
  const message = `The tool ${JSON.stringify(tool)} failed: ${getMessage(thrown)}`
  return toResult(error(message, { cause: thrown }), shown)
}
