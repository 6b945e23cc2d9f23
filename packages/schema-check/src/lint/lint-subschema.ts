import { appendPointer, isLocalReference, isJsonObject } from '@toolblocks/protocol'
import type { SchemaLimits } from '../limits.ts'
import { type Subschema } from './subschemas.ts'
import type { SchemaProblem } from '../problems/schema-problem.ts'

const DYNAMIC = ['$dynamicAnchor', '$dynamicRef', '$recursiveAnchor', '$recursiveRef']

/** The problems of one schema, without those inside it. */
export function lintSubschema({ schema, path }: Subschema, limits: SchemaLimits): SchemaProblem[] {
  if (!isJsonObject(schema)) return []
  return [
    ...lintSizes(schema, path, limits),
    ...lintIdentifiers(schema, path),
    ...lintNames(schema, path),
  ]
}

function lintSizes(
  schema: Record<string, unknown>,
  path: string,
  limits: SchemaLimits,
): SchemaProblem[] {
  const counted: readonly (readonly [string, number])[] = [
    ['anyOf', limits.branches],
    ['oneOf', limits.branches],
    ['allOf', limits.branches],
    ['enum', limits.enumValues],
    ['properties', limits.properties],
    ['patternProperties', limits.branches],
  ]
  return counted.flatMap(([keyword, limit]) => {
    const count = isIterable(schema[keyword]) ? Object.keys(schema[keyword]).length : 0
    if (count <= limit) return []
    const message = `the schema has ${count} entries in ${keyword}; at most ${limit} are used`
    return [{ path: appendPointer(path, keyword), message, code: 'schema-too-large' }]
  })
}

function isIterable(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Names that reach other documents or shift the meaning of references are not followed. */
function lintIdentifiers(schema: Record<string, unknown>, path: string): SchemaProblem[] {
  const names = [...DYNAMIC, ...(path === '' ? [] : ['$id'])].filter((name) => name in schema)
  const named = names.map((name): SchemaProblem => ({
    path: appendPointer(path, name),
    message: `the schema uses ${name}, which is not followed; only "$ref" to "#/..." is`,
    code: 'schema-reference',
  }))
  const reference = schema['$ref']
  if (reference === undefined || isLocalReference(reference)) return named
  const message = `the schema refers to ${JSON.stringify(reference)}; only "#" and "#/..." in the same schema are followed`
  return [...named, { path: appendPointer(path, '$ref'), message, code: 'schema-reference' }]
}

/** The compiler passes over this one property, so a value could not be called valid. */
function lintNames(schema: Record<string, unknown>, path: string): SchemaProblem[] {
  const { properties } = schema
  if (!isJsonObject(properties) || !Object.hasOwn(properties, '__proto__')) return []
  const message = 'the schema names the property __proto__, which is not checked'
  return [{ path: `${path}/properties/__proto__`, message, code: 'schema-name' }]
}
