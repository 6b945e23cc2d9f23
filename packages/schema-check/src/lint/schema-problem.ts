import type { Problem } from '@toolblocks/protocol'

/** Keywords that a value can violate. */
export const KEYWORD_CODES = [
  'additionalItems',
  'additionalProperties',
  'anyOf',
  'const',
  'contains',
  'dependencies',
  'dependentRequired',
  'enum',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'false schema',
  'format',
  'if',
  'items',
  'maxItems',
  'maxLength',
  'maxProperties',
  'maximum',
  'minItems',
  'minLength',
  'minProperties',
  'minimum',
  'multipleOf',
  'not',
  'oneOf',
  'pattern',
  'propertyNames',
  'required',
  'type',
  'unevaluatedItems',
  'unevaluatedProperties',
  'uniqueItems',
] as const

/** Why a schema or value is unusable, except violated keywords. */
export const SCHEMA_PROBLEM_CODES = [
  'not-a-schema',
  'invalid-pattern',
  'keyword',
  'schema-broken',
  'schema-dialect',
  'schema-name',
  'schema-pattern',
  'schema-reference',
  'schema-too-deep',
  'schema-too-large',
  'value-too-deep',
  'value-too-large',
  'more',
] as const

/** The code of a problem: the violated keyword, or the reason why nothing could be checked. */
type SchemaProblemCode = (typeof SCHEMA_PROBLEM_CODES)[number] | (typeof KEYWORD_CODES)[number]

/** A problem of a value or of a schema. */
export type SchemaProblem = Problem<SchemaProblemCode>
