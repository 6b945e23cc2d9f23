import type { ContentBlock, InputRequest } from '@toolblocks/protocol'
import { text } from '../results/text.ts'

/** What a stateful tool yields when it can go on only with what somebody gives it. */
export interface Waiting {
  readonly type: 'waiting'
  /** Shown first. */
  readonly content: readonly ContentBlock[]
  /** Absent: any input will do. */
  readonly question?: InputRequest
}

/**
 * Waits for input: `const input = yield waiting('Which file?')` gives what is applied next. With a question (`booleanQuestion`,
 * `selectQuestion`, `textQuestion`, or one with a schema of its own) it is put to whoever answers questions, and the answer is given; the
 * blocks are shown before it.
 */
export function waiting(
  prompt: string | InputRequest,
  ...blocks: readonly ContentBlock[]
): Waiting {
  return typeof prompt === 'string'
    ? { type: 'waiting', content: [...blocks, text(prompt)] }
    : { type: 'waiting', content: blocks, question: prompt }
}

/** Says whether what a tool yielded is a `Waiting`. */
export function isWaiting(yielded: unknown): yielded is Waiting {
  return (
    typeof yielded === 'object' &&
    yielded !== null &&
    'type' in yielded &&
    yielded.type === 'waiting'
  )
}
