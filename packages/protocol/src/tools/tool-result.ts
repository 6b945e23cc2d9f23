import type { ContentBlock } from '../content/content-block.ts'
import type { Meta } from '../json.ts'
import type { Problem } from '../problem.ts'

/** How a call ended. `unanswered`: on questions nobody could be asked. */
export type Outcome = 'completed' | 'failed' | 'denied' | 'cancelled' | 'timeout' | 'unanswered'

/** Where a live tool stands, from `_meta["computer.jp/status"]`; one-shot tools are always `stopped`. */
export type Status = 'running' | 'waiting' | 'stopped'

/** Bytes kept elsewhere, named by their hash. */
export interface BlobRef {
  /** SHA-256 of the bytes, 64 lower-case hexadecimal digits. */
  sha256: string
  bytes: number
}

/** What makes two resources the same: canonical uri and content, never formatting. */
export interface ResourceIdentity {
  /** Canonical; the block keeps the uri as it was said. */
  uri: string
  /** SHA-256 of the raw content: UTF-8 of `text`, or the decoded `blob`. */
  sha256: string
  bytes: number
}

/** What the host knows about a result. Never read from a wire. In-process tools may add keys. */
export interface ResultMetadata {
  outcome?: Outcome
  /** What reading the output skipped or repaired. */
  warnings?: readonly Problem[]
  /** The bytes as they came, where they were kept because the blocks cannot give them back. */
  raw?: BlobRef
  /** By block index; `null` for blocks without identity. */
  resources?: readonly (ResourceIdentity | null)[]
  /** The live tool that answered; not the call's id. */
  handle?: { id: string; status: Status }
  [key: string]: unknown
}

/** What came of a call. A tool that failed is a result too: `isError` is true and the blocks say why. */
export interface ToolResult {
  /** The call's id, set by the executor. */
  id?: string
  content: readonly ContentBlock[]
  isError: boolean
  /** Any JSON value; present or absent matters, so test with `in`. */
  structuredContent?: unknown
  metadata?: ResultMetadata
  _meta?: Meta
}
