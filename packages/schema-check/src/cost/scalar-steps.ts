import { isScalar } from '../keywords/canonical-json.ts'
import { stepsOfFormat } from './format-steps.ts'
import { readPattern } from '../patterns/read-pattern.ts'
import type { CountSteps } from './budget.ts'
import { countEquality } from './count-equality.ts'

/** The steps of keywords that look at a value as a whole: at any value, and at strings only. */
export function scalarSteps(schema: Record<string, unknown>): {
  any: CountSteps[]
  string: CountSteps[]
} {
  const { enum: allowed, pattern, format } = schema
  const candidates = Array.isArray(allowed) ? allowed : 'const' in schema ? [schema['const']] : []
  const any = candidates.every(isScalar) ? [] : [countEquality]
  const string: CountSteps[] = []
  if ('minLength' in schema || 'maxLength' in schema)
    string.push((value, budget) => {
      budget.left -= lengthOf(value)
    })
  if (typeof pattern === 'string') string.push(countPattern(pattern))
  if (typeof format === 'string')
    string.push((value, budget) => {
      budget.left -= stepsOfFormat(format, lengthOf(value))
    })
  return { any, string }
}

/** A program this small has few enough states to be remembered; then its size does not matter. */
const SMALL = 12

/** The steps of finding a pattern in a string. */
export function countPattern(source: string): CountSteps {
  const read = readPattern(source)
  if (read.kind !== 'linear') return refuse
  const { size, longest } = read.pattern
  const perCharacter = size <= SMALL ? 4 : 4 + 1.3 * size
  return (value, budget) => {
    const length = lengthOf(value)
    budget.left -= 30 + (length > longest ? 0 : length * perCharacter)
  }
}

/** What cannot be run is never begun. */
const refuse: CountSteps = (_value, budget) => {
  budget.left = -1
}

function lengthOf(value: unknown): number {
  return typeof value === 'string' ? value.length : 0
}
