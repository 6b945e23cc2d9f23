import type { ErrorObject } from 'ajv'
import type { Problem } from '@toolblocks/protocol'
import { MAX_PROBLEMS } from '../limits.ts'
import { explainError } from './explain-error.ts'
import { foldAlternatives } from './fold-alternatives.ts'

/** Turns Ajv's errors into problems: one line each, the noise of alternatives folded, at most 20. */
export function explainErrors(errors: readonly ErrorObject[]): Problem[] {
  const problems = foldAlternatives(errors).map(explainError)
  const seen = new Set<string>()
  const distinct = problems.filter(({ path, message }) => {
    const line = `${path}\0${message}`
    return seen.has(line) ? false : seen.add(line)
  })
  if (distinct.length <= MAX_PROBLEMS) return distinct
  const more = distinct.length - MAX_PROBLEMS + 1
  const rest = { path: '', message: `${more} more problems`, code: 'more' }
  return [...distinct.slice(0, MAX_PROBLEMS - 1), rest]
}
