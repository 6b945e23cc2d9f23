import type { Problem } from '@toolblocks/protocol'

/** What broke: the store's address, its file, what it keeps, or what it was given. */
export type StoreErrorCode =
  | 'unsupported-url'
  | 'invalid-id'
  | 'invalid-cursor'
  | 'unstorable'
  | 'unscrubbable'
  | 'cannot-open'
  | 'newer-version'
  | 'not-a-store'
  | 'read-only'
  | 'damaged'
  | 'busy'
  | 'closed'
  | 'failed'

/** Where something is damaged, as far as it is known. */
export interface DamagedPlace {
  /** Id of the conversation. Absent: not known, or all of them. */
  conversation?: string
  /** The first event that cannot be proven. */
  seq?: number
}

/** What an error of a store says beside its code. */
interface Details extends DamagedPlace {
  problem?: StoreProblem
}

/** The store or the machine is broken. A conflict between writers is a value, not an error. */
export class StoreError extends Error {
  readonly code: StoreErrorCode
  /** With code `damaged`: the conversation, where one is known. */
  readonly conversation: string | undefined
  /** With code `damaged`: the first event that cannot be proven, where one is known. */
  readonly seq: number | undefined

  /** With code `unstorable`: the field, as a JSON Pointer into the events to append, what was expected there, what was got. */
  readonly problem: StoreProblem | undefined

  constructor(code: StoreErrorCode, message: string, options: ErrorOptions & Details = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined)
    this.name = 'StoreError'
    this.code = code
    this.conversation = options.conversation
    this.seq = options.seq
    this.problem = options.problem
  }
}

/** The error for bytes that came as a stream and of which a part was collected before their end. */
export function lostPiece(sha256: string): StoreError {
  const message = `A part of the bytes ${sha256.slice(0, 12)}… was collected before all of them were kept; keep them again.`
  return new StoreError('failed', message)
}

/** The error for an event of which it cannot be proven that it is as it was written. */
export function damagedEvent(conversation: string, seq: number, reason: string): StoreError {
  const message =
    `Event ${seq} of conversation ${JSON.stringify(conversation)} is damaged: ${reason}. ` +
    'verify() names all that is; the events around it can be read with `after` and `before`.'
  return new StoreError('damaged', message, { conversation, seq })
}

/** The codes of what is wrong with events. */
export const STORE_PROBLEM_CODES = ['no-event', 'not-json', 'damaged-event'] as const

/** What is wrong with an event: it is none, it is no JSON, or it is not as it was written. */
export type StoreProblemCode = (typeof STORE_PROBLEM_CODES)[number]

/** What is wrong with an event. */
export type StoreProblem = Problem<StoreProblemCode>
