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
  /** Subschemas after every `$ref` is replaced by its target. */
  expandedSubschemas: number
  /** Alternatives in one `anyOf`, `oneOf` or `allOf`. */
  branches: number
  /** Names in one `properties` or `patternProperties`. */
  properties: number
  /** Values in one `enum`. */
  enumValues: number
  /** Characters of one `pattern`. */
  patternLength: number
  /** Subschemas applied to values while one value is checked, roughly; 100,000 take some milliseconds. */
  work: number
}

/** Generous for every schema written by people; a machine that exceeds them is up to something. */
export const DEFAULT_SCHEMA_LIMITS: SchemaLimits = {
  depth: MAX_SCHEMA_DEPTH,
  characters: 64 * 1024,
  values: 64 * 1024,
  subschemas: 1000,
  expandedSubschemas: 10_000,
  branches: 100,
  properties: 500,
  enumValues: 1000,
  patternLength: 512,
  work: 5_000_000,
}

/** How many problems one check names at most. */
export const MAX_PROBLEMS = 20
