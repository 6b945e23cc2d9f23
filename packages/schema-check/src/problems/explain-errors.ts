import type { ErrorObject } from 'ajv'
import { MAX_PROBLEMS } from '../limits.ts'
import { createDescriber } from './describe-value.ts'
import { explainError } from './explain-error.ts'
import { foldAlternatives } from './fold-alternatives.ts'
import type { SchemaProblem } from './schema-problem.ts'

/** Errors beyond these are only counted: twenty are shown. */
const MAX_EXPLAINED = 1000

/** Turns Ajv's errors into problems: one line each, the noise of alternatives folded, at most 20. */
export function explainErrors(errors: readonly ErrorObject[]): SchemaProblem[] {
  const folded = foldAlternatives(errors)
  const describe = createDescriber()
  const problems = folded.slice(0, MAX_EXPLAINED).map((error) => explainError(error, describe))
  const seen = new Set<string>()
  const distinct = problems.filter(({ path, message }) => {
    const line = `${path}\0${message}`
    return seen.has(line) ? false : seen.add(line)
  })
  const uncounted = folded.length - problems.length
  if (distinct.length + uncounted <= MAX_PROBLEMS) return distinct
  const more = distinct.length + uncounted - MAX_PROBLEMS + 1
  const rest: SchemaProblem = { path: '', message: `${more} more problems`, code: 'more' }
  return [...distinct.slice(0, MAX_PROBLEMS - 1), rest]
}
