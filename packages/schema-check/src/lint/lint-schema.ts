import { type JsonSchema, isJsonObject } from '@toolblocks/protocol'
import { measureJson } from '../cost/measure-json.ts'
import { areFewScalars } from '../keywords/lookup.ts'
import type { SchemaLimits } from '../limits.ts'
import { collectSubschemas, countCompiled, type CollectedSubschemas } from './collect-subschemas.ts'
import { lintPatterns, patternsOf } from './lint-patterns.ts'
import { lintReferences } from './lint-references.ts'
import { lintSubschema } from './lint-subschema.ts'
import type { SchemaProblem } from '../problems/schema-problem.ts'

/** The schemas of a document that is safe to compile; one that is no schema, or one that is not used, and why. */
export type LintedSchema =
  | { kind: 'usable'; subschemas: CollectedSubschemas }
  | { kind: 'invalid' | 'unusable'; problems: readonly SchemaProblem[] }

/** Decides in linear time whether a schema of bounded size is safe to compile. */
export function lintSchema(schema: JsonSchema, limits: SchemaLimits): LintedSchema {
  const subschemas = collectSubschemas(schema, limits.subschemas)
  const tooMany = lintCounts(subschemas, limits)
  if (tooMany) return { kind: 'unusable', problems: [tooLarge(tooMany)] }
  const { written, applied } = subschemas
  const each = new Map([...written, ...applied].map((place) => [place.schema, place]))
  const problems = [...each.values()].flatMap((place) => lintSubschema(place, limits))
  if (problems.length > 0) return { kind: 'unusable', problems }
  const references = lintReferences(applied, limits.expandedSubschemas)
  if (references.length > 0) return { kind: 'unusable', problems: references }
  const patterns = lintPatterns(applied, limits)
  return patterns ?? { kind: 'usable', subschemas }
}

/** Why a document is too large to be looked at; the one question that is asked of what may be no JSON at all. */
export function lintSize(schema: JsonSchema, limits: SchemaLimits): SchemaProblem | undefined {
  const size = measureJson(schema, { depth: limits.depth, nodes: limits.values })
  if (size.nodes > limits.values) return tooLarge(`has more than ${limits.values} values`)
  if (size.depth > limits.depth)
    return { ...tooLarge(`nests deeper than ${limits.depth} levels`), code: 'schema-too-deep' }
  if (size.characters > limits.characters)
    return tooLarge(`is larger than ${limits.characters} characters`)
  return undefined
}

function lintCounts(subschemas: CollectedSubschemas, limits: SchemaLimits): string | undefined {
  const { written, applied } = subschemas
  if (Math.max(written.length, applied.length) > limits.subschemas)
    return `has more than ${limits.subschemas} subschemas`
  if (countCompiled(subschemas, limits.compiledSubschemas) > limits.compiledSubschemas)
    return `has more than ${limits.compiledSubschemas} subschemas once those under each "$ref" are added`
  const linked = applied.reduce((sum, { schema }) => sum + countLinked(schema), 0)
  if (linked > limits.linked)
    return `has ${linked} references, patterns and lists of values; at most ${limits.linked} are used`
  return undefined
}

function countLinked(schema: unknown): number {
  if (!isJsonObject(schema)) return 0
  const { $ref, enum: allowed, uniqueItems } = schema
  const values = Array.isArray(allowed) ? allowed : [schema['const']]
  const parts = [$ref !== undefined, uniqueItems === true, !areFewScalars(values)]
  return parts.filter(Boolean).length + patternsOf(schema).length
}

function tooLarge(message: string): SchemaProblem {
  return { path: '', message: `the schema ${message}`, code: 'schema-too-large' }
}
