import type { LocalProblem } from './local-problem.ts'

/** Thrown when a definition cannot become a tool; `problems` names every field that is wrong. */
export class LocalToolError extends Error {
  readonly code = 'invalid-definition'
  /** Paths are JSON Pointers into the definition, for example `/command/args/0`. */
  readonly problems: readonly LocalProblem[]

  constructor(tool: string, problems: readonly LocalProblem[]) {
    const lines = problems.map(({ path, message }) => `${path}: ${message}`)
    super(`Tool "${tool}" cannot be made:\n${lines.join('\n')}`)
    this.name = 'LocalToolError'
    this.problems = problems
  }
}
