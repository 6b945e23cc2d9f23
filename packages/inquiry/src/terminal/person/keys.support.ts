import type { InputRequest, QuestionContext } from '@toolblocks/protocol'

/** The bytes that a terminal sends for a key. */
export const keys = {
  enter: '\r',
  escape: '\u001B',
  up: '\u001B[A',
  down: '\u001B[B',
  space: ' ',
  tab: '\t',
  backspace: '\u007F',
  interrupt: '\u0003',
  endOfInput: '\u0004',
  stop: '\u001A',
} as const

/** A question for a person, with the relevant part of its context. */
export type PutQuestion = Partial<QuestionContext> & { request: InputRequest }
