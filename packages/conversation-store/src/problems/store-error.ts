import type { Problem } from '@toolblocks/protocol'

/** The kind of failure: of the store's address, of its file, of its content, or of an argument. */
export type StoreErrorCode =
  | 'unsupported-url'
  | 'invalid-id'
  | 'invalid-cursor'
  | 'unstorable'
  | 'unscrubbable'
  | 'cannot-open'
  | 'newer-version'
  | 'older-version'
  | 'not-a-store'
  | 'read-only'
  | 'damaged'
  | 'busy'
  | 'closed'
  | 'failed'

/** The place of damage, as far as it is known. */
export interface DamagedPlace {
  /** Id of the conversation. Absent: not known, or all conversations. */
  conversation?: string
  /** The first event that cannot be verified. */
  seq?: number
}

/** The details of a store error beside its code. */
interface Details extends DamagedPlace {
  /** The stored version of a damaged document. */
  version?: number
  problem?: StoreProblem
}

/** A failure of the store or the machine. A conflict between writers is a value, not an error. */
export class StoreError extends Error {
  readonly code: StoreErrorCode
  /** With code `damaged`: the conversation, if one is known. */
  readonly conversation: string | undefined
  /** With code `damaged`: the first event that cannot be verified, if it is known. */
  readonly seq: number | undefined
  /** With code `damaged`: the stored version of a document. Who knows it can replace or remove the document. */
  readonly version: number | undefined

  /**
   * With code `unstorable`: the field, as a JSON Pointer into the events to append or into the value of a document, the expected value, and the
   * actual one. With code `damaged`: the problem of a document.
   */
  readonly problem: StoreProblem | undefined

  constructor(code: StoreErrorCode, message: string, options: ErrorOptions & Details = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined)
    this.name = 'StoreError'
    this.code = code
    this.conversation = options.conversation
    this.seq = options.seq
    this.version = options.version
    this.problem = options.problem
  }
}

/** Creates the error for streamed bytes of which a part was collected before the stream ended. */
export function lostPiece(sha256: string): StoreError {
  const message = `The bytes ${sha256.slice(0, 12)}… were not kept, because a part of them was collected before the end; keep them again.`
  return new StoreError('failed', message)
}

/** Creates the error for an event that is not verified to be as it was written. */
export function damagedEvent(conversation: string, seq: number, reason: string): StoreError {
  const message =
    `Event ${seq} of conversation ${JSON.stringify(conversation)} is damaged: ${reason}. ` +
    'verify() lists all damaged events; the events around this one can be read with `after` and `before`.'
  return new StoreError('damaged', message, { conversation, seq })
}

/** Creates the error for a document that is not as it was written. */
export function damagedDocument(
  { version, conversation }: { version: number; conversation?: string },
  problem: StoreProblem,
): StoreError {
  const message = `The store is damaged: ${problem.message}. The stored version is ${version}; a writer with this version can replace or remove the document.`
  return new StoreError('damaged', message, {
    ...(conversation !== undefined && { conversation }),
    version,
    problem,
  })
}

/** The codes of problems with events and documents. */
export const STORE_PROBLEM_CODES = [
  'no-event',
  'not-json',
  'damaged-event',
  'damaged-document',
] as const

/** The kind of problem: not an event, not JSON, or an event or a document that is not as it was written. */
type StoreProblemCode = (typeof STORE_PROBLEM_CODES)[number]

/** A problem of an event or a document. */
export type StoreProblem = Problem<StoreProblemCode>
