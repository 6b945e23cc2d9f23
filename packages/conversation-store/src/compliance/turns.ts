import type { ConversationEvent } from '../events/conversation-event.ts'

/** The shortest event. */
export const turn = (number: number): ConversationEvent => ({ type: 'turn_start', turn: number })

/** So many of them. */
export const turns = (count: number, first = 1): ConversationEvent[] =>
  Array.from({ length: count }, (_, index) => turn(first + index))
