import type { Problem } from '@toolblocks/protocol'

/** The codes of what an executor itself warns of. */
export const EXECUTOR_PROBLEM_CODES = ['arguments-unchecked', 'odd-envelope'] as const

/**
 * What an executor itself warns of in `metadata.warnings`: arguments that it could not check, a response of a live tool whose status does not
 * go with its content. Other warnings there are of the tool's host, of the inquiry, or of a uri.
 */
export type ExecutorProblemCode = (typeof EXECUTOR_PROBLEM_CODES)[number]

/** A warning of an executor. */
export type ExecutorProblem = Problem<ExecutorProblemCode>
