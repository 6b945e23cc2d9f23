import { type ContentBlock, isContentBlock, createQuotingBlocks } from '../content/content-block.ts'
import { quoteName } from '../text/describe-value.ts'
import { META_ERROR, META_STATUS } from '../content/meta-keys.ts'
import {
  type Meta,
  getOwnField,
  has,
  isArrayOf,
  isBoolean,
  isCount,
  isJsonObject,
  isOneOf,
  isSha256,
  isString,
  mayHave,
} from '../json/json.ts'
import { type Problem, isProblem } from '../json/problem.ts'

/** All outcomes. */
export const OUTCOMES = [
  'completed',
  'failed',
  'denied',
  'cancelled',
  'timeout',
  'unanswered',
] as const

/** How a call ended. `unanswered`: on questions nobody could be asked. */
export type Outcome = (typeof OUTCOMES)[number]

/** Bytes kept elsewhere, named by their hash. */
export interface BlobRef {
  /** SHA-256 of the bytes, 64 lower-case hexadecimal digits. */
  sha256: string
  /** How many. */
  bytes: number
}

/** What makes two resources the same: canonical uri and content, never formatting. */
export interface ResourceIdentity {
  /** Canonical; the block keeps the uri as it was said. */
  uri: string
  /** SHA-256 of the raw content: UTF-8 of `text`, or the decoded `blob`. */
  sha256: string
  /** How many, of the raw content. */
  bytes: number
  /** SHA-256 of the UTF-8 of the block's `formatted`, where it has one. It is no part of what makes resources the same, but of what a model was given. */
  formatted?: string
}

/** Who is to give a waiting live call what it waits for. */
export const HANDLE_PARTIES = ['user', 'assistant'] as const

/** The handle of a live call: its name, and where the call stands. */
export interface LiveHandle {
  id: string
  status: Status
  /** With `waiting`. `user`: a person is to be asked, by a `fetch` or by the host. `assistant`: whoever drives the call applies what it waits for. */
  asks?: (typeof HANDLE_PARTIES)[number]
}

/** What the host knows about a result. Never read from a wire. In-process tools may add keys. */
export interface ResultMetadata {
  /** Set by the executor on every result. */
  outcome?: Outcome
  /** The call was left out by choice, so that the model goes on without it; its outcome is `denied`. */
  skipped?: boolean
  /** The id of the question that got no answer, for which the call ended; the last block says so, those before it are the tool's. */
  question?: string
  /** What reading the output skipped or repaired. */
  warnings?: readonly Problem[]
  /** The bytes as they came, where they were kept because the blocks cannot give them back. */
  raw?: BlobRef
  /** By block index; `null` for blocks without identity. */
  resources?: readonly (ResourceIdentity | null)[]
  /** The live tool that answered; not the call's id. */
  handle?: LiveHandle
  /** The conversation that was led for the call, such as that of an agent. */
  conversationId?: string
  [key: string]: unknown
}

/** What came of a call. A tool that failed is a result too: `isError` is true and the blocks say why. */
export interface ToolResult {
  /** The call's id, set by the executor. */
  id?: string
  /** In the order of the tool. */
  content: readonly ContentBlock[]
  /** The tool failed, or the call ended otherwise than completed. */
  isError: boolean
  /** Any JSON value; present or absent matters, so test with `in`. */
  structuredContent?: unknown
  /** What the host knows; never read from a wire. */
  metadata?: ResultMetadata
  /** What the tool or server said beside the content. */
  _meta?: Meta
}

/** Says whether a value is an `Outcome`. */
export function isOutcome(value: unknown): value is Outcome {
  return isOneOf(OUTCOMES)(value)
}

/** Says whether a value is a `BlobRef`. */
export function isBlobRef(value: unknown): value is BlobRef {
  return isJsonObject(value) && has(value, 'sha256', isSha256) && has(value, 'bytes', isCount)
}

/** Says whether a value is a `ResourceIdentity`. That its uri is canonical is not checked. */
export function isResourceIdentity(value: unknown): value is ResourceIdentity {
  return (
    isJsonObject(value) &&
    has(value, 'uri', isString) &&
    mayHave(value, 'formatted', isSha256) &&
    isBlobRef(value)
  )
}

/** Says whether a value is a `ResultMetadata`: known fields have their shape, others may hold anything. */
export function isResultMetadata(value: unknown): value is ResultMetadata {
  return (
    isJsonObject(value) &&
    mayHave(value, 'outcome', isOutcome) &&
    mayHave(value, 'skipped', isBoolean) &&
    mayHave(value, 'warnings', isArrayOf(isProblem)) &&
    mayHave(value, 'raw', isBlobRef) &&
    mayHave(value, 'resources', isArrayOf(isIdentityOrNull)) &&
    mayHave(value, 'handle', isHandle) &&
    mayHave(value, 'conversationId', isString)
  )
}

/** Says whether a value is a `ToolResult` that the host made or stored. Output of a tool is for the parser. */
export function isToolResult(value: unknown): value is ToolResult {
  return (
    isJsonObject(value) &&
    mayHave(value, 'id', isString) &&
    has(value, 'content', isArrayOf(isContentBlock)) &&
    has(value, 'isError', isBoolean) &&
    mayHave(value, 'metadata', isResultMetadata) &&
    mayHave(value, '_meta', isJsonObject)
  )
}

function isIdentityOrNull(value: unknown): value is ResourceIdentity | null {
  return value === null || isResourceIdentity(value)
}

function isHandle(value: unknown): boolean {
  return (
    isJsonObject(value) &&
    has(value, 'id', isString) &&
    has(value, 'status', isStatus) &&
    mayHave(value, 'asks', isOneOf(HANDLE_PARTIES))
  )
}

/** Makes the result of a call that worked. */
export function createSuccessResult(
  content: readonly ContentBlock[],
  id?: string,
  metadata?: ResultMetadata,
): ToolResult {
  return { ...(id !== undefined && { id }), content, isError: false, ...(metadata && { metadata }) }
}

/** Makes the result of a call that failed; a string becomes one text block. */
export function createErrorResult(
  input: string | readonly ContentBlock[],
  id?: string,
  metadata?: ResultMetadata,
): ToolResult {
  const content: readonly ContentBlock[] =
    typeof input === 'string' ? [{ type: 'text', text: input }] : input
  return { ...(id !== undefined && { id }), content, isError: true, ...(metadata && { metadata }) }
}

/** Makes the result of a call that failed, or ended otherwise, before it is known whose it is: the executor adds the id. */
export function createFailure(
  input: string | readonly ContentBlock[],
  outcome: Exclude<Outcome, 'completed'> = 'failed',
): ToolResult {
  return createErrorResult(input, undefined, { outcome })
}

/** All statuses. */
export const STATUSES = ['running', 'waiting', 'stopped'] as const

/** Where a live tool stands, from `_meta["computer.jp/status"]`; one-shot tools are always `stopped`. */
export type Status = (typeof STATUSES)[number]

/** Says whether a value is a `Status`. */
export function isStatus(value: unknown): value is Status {
  return isOneOf(STATUSES)(value)
}

/** Reads `_meta["computer.jp/status"]`; absent or unknown reads as `stopped`. */
export function readStatus(result: ToolResult): Status {
  const { _meta: meta } = result
  const status = isJsonObject(meta) ? getOwnField(meta, META_STATUS) : undefined
  return isStatus(status) ? status : 'stopped'
}

/** Returns the result with `_meta["computer.jp/status"]` set; other keys of `_meta` stay. */
export function withStatus(result: ToolResult, status: Status): ToolResult {
  const { _meta: meta } = result
  return { ...result, _meta: { ...meta, [META_STATUS]: status } }
}

/**
 * The warnings of a result that stand for blocks which could not be read and are not in `content`: those whose path is
 * exactly `/content/<index>` of the document as it came.
 */
export function getSkippedBlocks(result: ToolResult): readonly Problem[] {
  const warnings = result.metadata?.warnings ?? []
  return warnings.filter(({ path }) => /^\/content\/\d+$/.test(path))
}

/** The code of the warning that an output was surely meant as a result and is text, because its `content` is missing. */
export const MISSING_CONTENT = 'missing-content'

/** Says whether the text of a result was surely meant as a result itself, and could not be read as one. */
export function isMisreadResult(result: ToolResult): boolean {
  return (result.metadata?.warnings ?? []).some(({ code }) => code === MISSING_CONTENT)
}

/** What a tool says about its failure beside the blocks. */
export interface ErrorDetails {
  /** A retry may help. */
  transient: boolean
  /** The chain of causes, outermost first. */
  trace: readonly string[]
}

/**
 * Reads `_meta["computer.jp/error"]`. A field that is absent or malformed reads as `transient: false` or an
 * empty `trace`.
 */
export function readErrorDetails(result: ToolResult): ErrorDetails {
  const { _meta: meta } = result
  const details = isJsonObject(meta) ? getOwnField(meta, META_ERROR) : undefined
  if (!isJsonObject(details)) return { transient: false, trace: [] }
  const trace = getOwnField(details, 'trace')
  return {
    transient: getOwnField(details, 'transient') === true,
    trace: isArrayOf(isString)(trace) ? trace : [],
  }
}

/** Returns the result with `_meta["computer.jp/error"]` set; other keys of `_meta` stay. */
export function withErrorDetails(result: ToolResult, details: ErrorDetails): ToolResult {
  const { transient, trace } = details
  const { _meta: meta } = result
  return { ...result, _meta: { ...meta, [META_ERROR]: { transient, trace: [...trace] } } }
}

/** The result with further warnings, those of `before` first; the same one where there are none. */
export function withWarnings(
  result: ToolResult,
  { before = [], after = [] }: { before?: readonly Problem[]; after?: readonly Problem[] },
): ToolResult {
  if (before.length === 0 && after.length === 0) return result
  const warnings = [...before, ...(result.metadata?.warnings ?? []), ...after]
  return { ...result, metadata: { ...result.metadata, warnings } }
}

/** The result of a call whose tool threw, with what it threw; cancelled where the call was aborted. */
export function describeThrown(
  tool: string,
  thrown: unknown,
  { signal }: { signal: AbortSignal },
): ToolResult {
  const reason: unknown = thrown instanceof Error ? thrown.message : thrown
  const failed = `The call of ${quoteName(tool)} failed`
  const content =
    typeof reason === 'string'
      ? createQuotingBlocks(`${failed}.`, reason)
      : createQuotingBlocks(`${failed}: it threw a value of type ${typeof reason}.`)
  return createFailure(content, signal.aborted ? 'cancelled' : 'failed')
}

/** The warning about who was told to stop and did not: what it comes to later is dropped. */
export function createNotSettledWarning(who: string, ms: number): Problem<'not-settled'> {
  const message = `${who} did not settle within ${ms / 1000} s of the abort; what comes of it later is dropped`
  return { path: '', message, code: 'not-settled' }
}
