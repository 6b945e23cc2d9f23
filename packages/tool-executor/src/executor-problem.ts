import { type Problem } from '@toolblocks/protocol'
import { createNotSettledWarning } from '@toolblocks/protocol/internal'

/** The codes of an executor's own warnings. */
export const EXECUTOR_PROBLEM_CODES = [
  'arguments-unchecked',
  'not-settled',
  'inconsistent-result',
  'invalid-metadata',
  'nothing-selected',
] as const

/**
 * The executor's own warnings in `metadata.warnings`: arguments that could not be checked, a tool or port that did not settle after an abort, a
 * response of a stateful tool whose status contradicts its content, metadata of a tool under a key of the host, a result without a part that is
 * selected for the model. Other warnings come from the host of the tool, the inquiry or a URI.
 */
type ExecutorProblemCode = (typeof EXECUTOR_PROBLEM_CODES)[number]

/** A warning of an executor. */
export type ExecutorProblem = Problem<ExecutorProblemCode>

/** Thrown in a call whose tool did not stop after an abort. */
export class NotSettledError extends Error {
  override name = 'NotSettledError'
  readonly problem: ExecutorProblem

  constructor(who: string, ms: number) {
    const problem = createNotSettledWarning(who, ms)
    super(problem.message)
    this.problem = problem
  }
}
