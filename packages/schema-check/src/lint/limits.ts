import { MAX_SCHEMA_DEPTH } from '@toolblocks/protocol/internal'

/** Limits of a schema; a larger one is refused unread. All limits are inclusive. */
export interface SchemaLimits {
  /** Maximum nesting of arrays and objects in the schema document. */
  depth: number
  /** Maximum characters of text and of numbers in the document. */
  characters: number
  /** Maximum number of values in the document, including empty ones. */
  values: number
  /** Maximum number of subschemas as written. */
  subschemas: number
  /** Maximum number of compiled subschemas: those written, and those under each target of `$ref` again. */
  compiledSubschemas: number
  /** Maximum number of subschemas that apply to the same value, with every `$ref` followed. */
  expandedSubschemas: number
  /** Maximum number of `$ref`, patterns, formats and lists of values, which the compiler keeps beside its code. */
  linked: number
  /** Maximum number of alternatives in one `anyOf`, `oneOf` or `allOf`, or of names in one `patternProperties`. */
  branches: number
  /** Maximum number of names in one `properties`. */
  properties: number
  /** Maximum number of values in one `enum`. */
  enumValues: number
  /** Maximum characters of one `pattern`. */
  patternLength: number
  /** Maximum steps of the programs of all patterns together. */
  patternSteps: number
  /** Maximum steps of checking one value, counted before it starts; about ten nanoseconds each. */
  work: number
}

/** Generous limits for every schema that a person writes. */
export const DEFAULT_SCHEMA_LIMITS: SchemaLimits = {
  depth: MAX_SCHEMA_DEPTH,
  characters: 256 * 1024,
  values: 128 * 1024,
  subschemas: 4096,
  compiledSubschemas: 8192,
  expandedSubschemas: 10_000,
  linked: 1000,
  branches: 500,
  properties: 4096,
  enumValues: 10_000,
  patternLength: 2048,
  patternSteps: 10_000,
  work: 30_000_000,
}

/** Maximum number of problems of one check. */
export const MAX_PROBLEMS = 20

/** Up to this number of steps, all problems of a value are reported; above, only the first. */
export const MAX_EXPLAINED_WORK = 100_000
