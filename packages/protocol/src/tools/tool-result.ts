import { requireArguments } from '../text/require-arguments.ts'
import { requireChoice } from '../text/require-choices.ts'
import { type ContentBlock, isContentBlock, createQuotingBlocks } from '../content/content-block.ts'
import { quoteName } from '../text/describe-value.ts'
import { META_ERROR, META_STATUS } from '../content/meta-keys.ts'
import {
  type JsonObject,
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

/** How a call ended. `unanswered`: on questions, because no person or model was available. */
export type Outcome = (typeof OUTCOMES)[number]

/** Bytes that are stored elsewhere, identified by their hash. */
export interface BlobRef {
  /** SHA-256 of the bytes, 64 lower-case hexadecimal digits. */
  sha256: string
  /** The number of bytes. */
  bytes: number
}

/** The identity of a resource: canonical URI and content, never formatting. */
export interface ResourceIdentity {
  /** The canonical URI. The block keeps the original one. */
  uri: string
  /** SHA-256 of the raw content: UTF-8 of `text`, or the decoded `blob`. */
  sha256: string
  /** The number of bytes of the raw content. */
  bytes: number
  /** SHA-256 of the UTF-8 of the block's `formatted`, if it has one. It is not part of the identity, but of what a model received. */
  formatted?: string
}

/** Who gives a waiting stateful call its input. */
export const HANDLE_PARTIES = ['user', 'assistant'] as const

/** The handle of a stateful call: its name and state. */
export interface LiveHandle {
  id: string
  status: Status
  /** With `waiting`. `user`: a person is asked, by a `fetch` or by the host. `assistant`: the driver of the call applies the input. */
  asks?: (typeof HANDLE_PARTIES)[number]
}

/** The host's metadata of a result. Never read from a wire. In-process tools may add keys. */
export interface ResultMetadata {
  /** Set by the executor on every result. */
  outcome?: Outcome
  /** Whether the call was omitted by choice, so that the model continues without it. Its outcome is `denied`. */
  skipped?: boolean
  /** The id of the question without an answer that ended the call. The last block says so; the blocks before it are the tool's. */
  question?: string
  /** Parts of the output that were skipped or repaired. */
  warnings?: readonly Problem[]
  /** The original bytes, if they were stored because the blocks cannot restore them. */
  raw?: BlobRef
  /** Identities by block index; `null` for a block without one. */
  resources?: readonly (ResourceIdentity | null)[]
  /** The stateful call that responded. This is not the id of the call. */
  handle?: LiveHandle
  /** The conversation that was started for the call, such as that of an agent. */
  conversationId?: string
  /**
   * The parts of the result's data that a model gets, as JSON Pointers with `*` for every item; set by the executor. The data is `structuredContent`, or else the JSON
   * of the only text block. The result itself is complete.
   */
  select?: readonly string[]
  /** The arguments that the host added to those of the call; set by the executor. */
  fixed?: JsonObject
  [key: string]: unknown
}

/** The result of a call. A failure of the tool is a result too: `isError` is true, and the blocks say why. */
export interface ToolResult {
  /** The call's id, set by the executor. */
  id?: string
  /** The blocks, in the order of the tool. */
  content: readonly ContentBlock[]
  /** Whether the tool failed, or the call did not complete. */
  isError: boolean
  /** Any JSON value. Present or absent matters, so test with `in`. */
  structuredContent?: unknown
  /** The host's metadata. Never read from a wire. */
  metadata?: ResultMetadata
  /** Additional data of the tool or server. */
  _meta?: Meta
}

/** Whether a value is an `Outcome`. */
export function isOutcome(value: unknown): value is Outcome {
  return isOneOf(OUTCOMES)(value)
}

/** Whether a value is a `BlobRef`. */
export function isBlobRef(value: unknown): value is BlobRef {
  return isJsonObject(value) && has(value, 'sha256', isSha256) && has(value, 'bytes', isCount)
}

/** Whether a value is a `ResourceIdentity`. Whether its URI is canonical is not checked. */
export function isResourceIdentity(value: unknown): value is ResourceIdentity {
  return (
    isJsonObject(value) &&
    has(value, 'uri', isString) &&
    mayHave(value, 'formatted', isSha256) &&
    isBlobRef(value)
  )
}

/** Whether a value is a `ResultMetadata`. Known fields have their type; others may hold anything. */
export function isResultMetadata(value: unknown): value is ResultMetadata {
  return (
    isJsonObject(value) &&
    mayHave(value, 'outcome', isOutcome) &&
    mayHave(value, 'skipped', isBoolean) &&
    mayHave(value, 'warnings', isArrayOf(isProblem)) &&
    mayHave(value, 'raw', isBlobRef) &&
    mayHave(value, 'resources', isArrayOf(isIdentityOrNull)) &&
    mayHave(value, 'handle', isHandle) &&
    mayHave(value, 'conversationId', isString) &&
    mayHave(value, 'select', isArrayOf(isString)) &&
    mayHave(value, 'fixed', isJsonObject)
  )
}

/** Whether a value is a `ToolResult` that the host made or stored. Parse a tool's output with the parser instead. */
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

/** Creates the result of a successful call. */
export function createSuccessResult(
  content: readonly ContentBlock[],
  id?: string,
  metadata?: ResultMetadata,
): ToolResult {
  return { ...(id !== undefined && { id }), content, isError: false, ...(metadata && { metadata }) }
}

/** Creates the result of a failed call. A string becomes one text block. */
export function createErrorResult(
  input: string | readonly ContentBlock[],
  id?: string,
  metadata?: ResultMetadata,
): ToolResult {
  const content: readonly ContentBlock[] =
    typeof input === 'string' ? [{ type: 'text', text: input }] : input
  return { ...(id !== undefined && { id }), content, isError: true, ...(metadata && { metadata }) }
}

/** Creates the result of a call that failed, or did not complete, without its id, which the executor adds. */
export function createFailure(
  input: string | readonly ContentBlock[],
  outcome: Exclude<Outcome, 'completed'> = 'failed',
): ToolResult {
  requireChoice('createFailure(input, outcome)', 'outcome', outcome, OUTCOMES)
  return createErrorResult(input, undefined, { outcome })
}

/** All statuses. */
export const STATUSES = ['running', 'waiting', 'stopped'] as const

/** The state of a stateful tool, from `_meta["computer.jp/status"]`. One-shot tools are always `stopped`. */
export type Status = (typeof STATUSES)[number]

/** Whether a value is a `Status`. */
export function isStatus(value: unknown): value is Status {
  return isOneOf(STATUSES)(value)
}

/** Reads `_meta["computer.jp/status"]`. Absent or unknown is `stopped`. */
export function readStatus(result: ToolResult): Status {
  requireArguments('readStatus(result)', [result, 'object'])
  const { _meta: meta } = result
  const status = isJsonObject(meta) ? getOwnField(meta, META_STATUS) : undefined
  return isStatus(status) ? status : 'stopped'
}

/** Returns the result with `_meta["computer.jp/status"]`. Other keys of `_meta` stay. */
export function withStatus(result: ToolResult, status: Status): ToolResult {
  requireArguments('withStatus(result, status)', [result, 'object'], [status, 'string'])
  const { _meta: meta } = result
  return { ...result, _meta: { ...meta, [META_STATUS]: status } }
}

/**
 * Returns the warnings about blocks that could not be read and are not in `content`: those whose path is exactly `/content/<index>` of the original
 * document.
 */
export function getSkippedBlocks(result: ToolResult): readonly Problem[] {
  const warnings = result.metadata?.warnings ?? []
  return warnings.filter(({ path }) => /^\/content\/\d+$/.test(path))
}

/** The code of the warning that an output was certainly meant as a result, and is text because its `content` is missing. */
export const MISSING_CONTENT = 'missing-content'

/** Whether the text of a result was certainly meant as a result itself, but could not be read as one. */
export function isMisreadResult(result: ToolResult): boolean {
  return (result.metadata?.warnings ?? []).some(({ code }) => code === MISSING_CONTENT)
}

/** A tool's details about its failure, beside the blocks. */
export interface ErrorDetails {
  /** Whether a retry may help. */
  transient: boolean
  /** The chain of causes, outermost first. */
  trace: readonly string[]
}

/** Reads `_meta["computer.jp/error"]`. An absent or invalid field is `transient: false` or an empty `trace`. */
export function readErrorDetails(result: ToolResult): ErrorDetails {
  requireArguments('readErrorDetails(result)', [result, 'object'])
  const { _meta: meta } = result
  const details = isJsonObject(meta) ? getOwnField(meta, META_ERROR) : undefined
  if (!isJsonObject(details)) return { transient: false, trace: [] }
  const trace = getOwnField(details, 'trace')
  return {
    transient: getOwnField(details, 'transient') === true,
    trace: isArrayOf(isString)(trace) ? trace : [],
  }
}

/** Returns the result with `_meta["computer.jp/error"]`. Other keys of `_meta` stay. */
export function withErrorDetails(result: ToolResult, details: ErrorDetails): ToolResult {
  requireArguments(
    'withErrorDetails(result, details)',
    [result, 'object'],
    [details, { trace: 'array' }],
  )
  const { transient, trace } = details
  const { _meta: meta } = result
  return { ...result, _meta: { ...meta, [META_ERROR]: { transient, trace: [...trace] } } }
}

/** Returns the result with more warnings, those of `before` first; the same object if there are none. */
export function withWarnings(
  result: ToolResult,
  { before = [], after = [] }: { before?: readonly Problem[]; after?: readonly Problem[] },
): ToolResult {
  if (before.length === 0 && after.length === 0) return result
  const warnings = [...before, ...(result.metadata?.warnings ?? []), ...after]
  return { ...result, metadata: { ...result.metadata, warnings } }
}

/** Returns the result of a call whose tool threw; cancelled if the call was aborted. */
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

/** Returns the warning about a function that did not settle after an abort. Its later value is ignored. */
export function createNotSettledWarning(who: string, ms: number): Problem<'not-settled'> {
  const message = `${who} did not settle within ${ms / 1000} s of the abort; its later result is dropped`
  return { path: '', message, code: 'not-settled' }
}
