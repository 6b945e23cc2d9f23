import { MAX_SCHEMA_DEPTH } from '@toolblocks/protocol'

/** What a schema may ask for before it is refused unread. All counts are inclusive. */
export interface SchemaLimits {
  /** Nesting of arrays and objects in the schema document. */
  depth: number
  /** Characters of text and of numbers in the whole document. */
  characters: number
  /** Values in the whole document, however empty. */
  values: number
  /** Subschemas as written. */
  subschemas: number
  /** Subschemas that are compiled: those written, and those under each target of `$ref` once more. */
  compiledSubschemas: number
  /** Subschemas applied to one and the same value, every `$ref` followed. */
  expandedSubschemas: number
  /** `$ref`, patterns, formats and lists of values: what the compiler keeps beside the code it writes. */
  linked: number
  /** Alternatives in one `anyOf`, `oneOf` or `allOf`, or names in one `patternProperties`. */
  branches: number
  /** Names in one `properties`. */
  properties: number
  /** Values in one `enum`. */
  enumValues: number
  /** Characters of one `pattern`. */
  patternLength: number
  /** Steps of the programs of all patterns together. */
  patternSteps: number
  /** Steps that checking one value may take, counted before it begins; of some ten nanoseconds each. */
  work: number
}

/** Generous for every schema written by people; a machine that exceeds them is up to something. */
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

/** How many problems one check names at most. */
export const MAX_PROBLEMS = 20

/** Steps of a check up to which every problem of a value is looked for; past them the first one. */
export const MAX_EXPLAINED_WORK = 100_000
