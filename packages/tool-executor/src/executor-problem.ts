import { createNotSettledWarning, type Problem } from '@toolblocks/protocol'

/** The codes of what an executor itself warns of. */
export const EXECUTOR_PROBLEM_CODES = [
  'arguments-unchecked',
  'not-settled',
  'odd-envelope',
  'odd-metadata',
] as const

/**
 * What an executor itself warns of in `metadata.warnings`: arguments that it could not check, a tool or port that did not settle after
 * an abort, a response of a live tool whose status does not
 * go with its content, metadata of a tool under a key of the host. Other warnings there are of the tool's host, of the inquiry, or of a uri.
 */
export type ExecutorProblemCode = (typeof EXECUTOR_PROBLEM_CODES)[number]

/** A warning of an executor. */
export type ExecutorProblem = Problem<ExecutorProblemCode>

/** Thrown within a call whose tool was told to stop and did not. */
export class NotSettledError extends Error {
  override name = 'NotSettledError'
  readonly problem: ExecutorProblem

  constructor(who: string, ms: number) {
    const problem = createNotSettledWarning(who, ms)
    super(problem.message)
    this.problem = problem
  }
}
