import type { ContentBlock } from '../content/content-block.ts'
import { isContentBlock } from '../content/is-content-block.ts'
import {
  has,
  isArrayOf,
  isBoolean,
  isCount,
  isJsonObject,
  isOneOf,
  isSha256,
  isString,
  mayHave,
} from '../json/fields.ts'
import type { Meta } from '../json/json.ts'
import { isProblem, type Problem } from '../problem.ts'
import { isStatus, type Status } from './status.ts'

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
  return isOneOf(OUTCOMES, value)
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
    mayHave(value, 'warnings', (warnings) => isArrayOf(warnings, isProblem)) &&
    mayHave(value, 'raw', isBlobRef) &&
    mayHave(value, 'resources', (resources) => isArrayOf(resources, isIdentityOrNull)) &&
    mayHave(value, 'handle', isHandle) &&
    mayHave(value, 'conversationId', isString)
  )
}

/** Says whether a value is a `ToolResult` that the host made or stored. Output of a tool is for the parser. */
export function isToolResult(value: unknown): value is ToolResult {
  return (
    isJsonObject(value) &&
    mayHave(value, 'id', isString) &&
    has(value, 'content', (content) => isArrayOf(content, isContentBlock)) &&
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
    mayHave(value, 'asks', (asks) => isOneOf(HANDLE_PARTIES, asks))
  )
}
