import type { Problem } from '@toolblocks/protocol'
import type { RunCheck } from './compile-with-ajv.ts'
import type { SchemaLimits } from './limits.ts'
import type { SchemaCost } from './lint/lint-schema.ts'
import { measureJson } from './lint/measure-json.ts'
import { explainErrors } from './problems/explain-errors.ts'

/** `unchecked` is never `valid`: nothing is known about the value. */
export type Verdict = 'valid' | 'invalid' | 'unchecked'

/** What came of checking one value. */
export interface Checked {
  verdict: Verdict
  /** For `invalid`, what is wrong with the value; for `unchecked`, why it could not be checked. */
  problems: readonly Problem[]
}

/** Nesting of a value beyond which a check is not started. */
const MAX_VALUE_DEPTH = 128

/** Runs a compiled schema on a value, unless the two together would take too long. */
export function checkValue(
  value: unknown,
  compiled: { run: RunCheck; cost: SchemaCost; limits: SchemaLimits },
): Checked {
  const { run, cost, limits } = compiled
  const tooMuch = whyTooMuch(value, cost, limits)
  if (tooMuch !== undefined) return unchecked(tooMuch)
  const errors = run(value)
  if (errors.length === 0) return { verdict: 'valid', problems: [] }
  return { verdict: 'invalid', problems: explainErrors(errors) }
}

/** The verdict for a schema or value that cannot be checked. */
export function unchecked(...problems: readonly Problem[]): Checked {
  return { verdict: 'unchecked', problems }
}

function whyTooMuch(value: unknown, cost: SchemaCost, limits: SchemaLimits): Problem | undefined {
  const { depth, nodes, characters, pairs } = measureJson(value, MAX_VALUE_DEPTH)
  if (depth > MAX_VALUE_DEPTH)
    return {
      path: '',
      message: `the value nests deeper than ${MAX_VALUE_DEPTH} levels`,
      code: 'value-too-deep',
    }
  const work =
    nodes * cost.subschemas + characters * cost.patterns + (cost.comparesItems ? pairs : 0)
  if (work <= limits.work) return undefined
  return {
    path: '',
    message: `the value is too large for this schema (${nodes} values, ${characters} characters)`,
    code: 'value-too-large',
  }
}
