import { notSettled, type ExecutorProblem } from './executor-problem.ts'

/** Thrown within a call whose tool was told to stop and did not. */
export class NotSettledError extends Error {
  override name = 'NotSettledError'
  readonly problem: ExecutorProblem

  constructor(who: string, ms: number) {
    const problem = notSettled(who, ms)
    super(problem.message)
    this.problem = problem
  }
}
