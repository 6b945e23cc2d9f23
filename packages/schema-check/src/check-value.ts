import type { SchemaProblem } from './problems/schema-problem.ts'
import type { RunCheck, Thoroughness } from './compile-with-ajv.ts'
import type { CountCheck } from './cost/count-steps.ts'
import { isDeeperThan } from './cost/is-deeper-than.ts'
import { measureSmall } from './cost/measure-small.ts'
import type { WorkCeiling } from './cost/work-ceiling.ts'
import { MAX_EXPLAINED_WORK, type SchemaLimits } from './limits.ts'
import { explainErrors } from './problems/explain-errors.ts'

/** `unchecked` is never `valid`: nothing is known about the value. */
export type Verdict = 'valid' | 'invalid' | 'unchecked'

/** What came of checking one value. */
export interface Checked {
  /** `unchecked`: nothing is known of the value. */
  verdict: Verdict
  /** For `invalid`, what is wrong with the value; for `unchecked`, why it could not be checked. */
  problems: readonly SchemaProblem[]
}

/** A schema ready to be used. */
export interface UsableSchema {
  /** Compiles at the first call. */
  runFor: (thoroughness: Thoroughness) => RunCheck
  countSteps: CountCheck
  /** Worked out at the first call. */
  ceiling: () => WorkCeiling | undefined
  limits: SchemaLimits
}

/** Nesting of a value beyond which a check is not started. */
const MAX_VALUE_DEPTH = 128

/** Runs a schema on a value, unless the two together would take too long. */
export function checkValue(value: unknown, schema: UsableSchema): Checked {
  if (isSurelyQuick(value, schema)) return runOn(value, schema, 'all')
  if (isDeeperThan(value, MAX_VALUE_DEPTH)) return unchecked(TOO_DEEP)
  const steps = schema.countSteps(value, schema.limits.work)
  if (steps === undefined) return unchecked(tooLarge(schema.limits))
  return runOn(value, schema, steps > MAX_EXPLAINED_WORK ? 'first' : 'all')
}

/** For most arguments of tools; walking through both to count would take as long as the check. */
function isSurelyQuick(value: unknown, { ceiling, limits }: UsableSchema): boolean {
  const size = measureSmall(value)
  const most = size && ceiling()?.(size)
  return most !== undefined && most <= Math.min(MAX_EXPLAINED_WORK, limits.work)
}

function runOn(value: unknown, schema: UsableSchema, thoroughness: Thoroughness): Checked {
  const errors = schema.runFor(thoroughness)(value)
  if (errors.length === 0) return { verdict: 'valid', problems: [] }
  return { verdict: 'invalid', problems: explainErrors(errors) }
}

/** The verdict for a schema or value that cannot be checked. */
export function unchecked(...problems: readonly SchemaProblem[]): Checked {
  return { verdict: 'unchecked', problems }
}

const TOO_DEEP: SchemaProblem = {
  path: '',
  message: `the value nests deeper than ${MAX_VALUE_DEPTH} levels`,
  code: 'value-too-deep',
}

function tooLarge({ work }: SchemaLimits): SchemaProblem {
  const message = `the value is too large for this schema: checking it would take more than ${work} steps`
  return { path: '', message, code: 'value-too-large' }
}
