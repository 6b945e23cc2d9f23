import type { Problem } from '@toolblocks/protocol'

/** The codes of what is wrong with events. */
export const STORE_PROBLEM_CODES = ['no-event', 'not-json', 'damaged-event'] as const

/** What is wrong with an event: it is none, it is no JSON, or it is not as it was written. */
export type StoreProblemCode = (typeof STORE_PROBLEM_CODES)[number]

/** What is wrong with an event. */
export type StoreProblem = Problem<StoreProblemCode>
