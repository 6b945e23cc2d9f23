import { isJsonObject } from '@toolblocks/protocol'
import { isScalar } from '../keywords/canonical-json.ts'
import { readPattern } from '../patterns/read-pattern.ts'
import type { ValueSize } from './measure-small.ts'

/** No check of a value of this size takes more steps. */
export type WorkCeiling = (size: ValueSize) => number

/** Keywords whose work is no product of the schema's and the value's size, or a larger one. */
const BEYOND = [
  '$ref',
  'patternProperties',
  'uniqueItems',
  'unevaluatedItems',
  'unevaluatedProperties',
]

/** Steps that a character of the schema stands for: the densest are the `{}` of a list of alternatives. */
const PER_SCHEMA_CHARACTER = 6

/**
 * The ceiling for a schema whose parts meet each value once at most, so that a small value need not be walked through
 * with the schema; `undefined` for other schemas, for which the steps are counted.
 */
export function ceilingOf(
  root: unknown,
  applied: readonly { schema: unknown }[],
): WorkCeiling | undefined {
  let patternSize = 0
  for (const { schema } of applied) {
    if (!isJsonObject(schema)) continue
    const size = patternSizeOf(schema)
    if (size === undefined || !isWithin(schema)) return undefined
    patternSize += size
  }
  const perValue = PER_SCHEMA_CHARACTER * JSON.stringify(root).length
  return ({ values, characters }) => perValue * values + (perValue + patternSize) * characters
}

function isWithin(schema: Record<string, unknown>): boolean {
  const { enum: allowed, const: only, format } = schema
  const compared = [only, ...(Array.isArray(allowed) ? allowed : [])]
  if (format === 'url' || format === 'regex') return false
  return compared.every(isScalar) && !BEYOND.some((keyword) => Object.hasOwn(schema, keyword))
}

const PER_STEP_OF_PATTERN = 2

function patternSizeOf({ pattern }: Record<string, unknown>): number | undefined {
  if (typeof pattern !== 'string') return 0
  const read = readPattern(pattern)
  return read.kind === 'linear' ? PER_STEP_OF_PATTERN * read.pattern.size : undefined
}
