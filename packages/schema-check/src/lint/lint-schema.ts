import { type JsonSchema, isJsonObject } from '@toolblocks/protocol'
import { appendPointer, followReference, isLocalReference } from '@toolblocks/protocol/internal'
import { measureJson } from '../cost/measure-json.ts'
import { areFewScalars } from '../keywords/canonical-json.ts'
import { readPattern } from '../patterns/read-pattern.ts'
import {
  type CollectedSubschemas,
  type Subschema,
  collectSubschemas,
  countCompiled,
  subschemasInPlace,
} from './collect-subschemas.ts'
import type { SchemaLimits } from './limits.ts'
import type { SchemaProblem } from './schema-problem.ts'

/** Decides in linear time whether a schema of limited size is safe to compile. */
export function lintSchema(
  schema: JsonSchema,
  limits: SchemaLimits,
):
  | { kind: 'usable'; subschemas: CollectedSubschemas }
  | { kind: 'invalid' | 'unusable'; problems: readonly SchemaProblem[] } {
  const subschemas = collectSubschemas(schema, limits.subschemas)
  const excess = lintCounts(subschemas, limits)
  if (excess) return { kind: 'unusable', problems: [tooLarge(excess)] }
  const { written, applied } = subschemas
  const each = new Map([...written, ...applied].map((subschema) => [subschema.schema, subschema]))
  const problems = [...each.values()].flatMap((subschema) => lintSubschema(subschema, limits))
  if (problems.length > 0) return { kind: 'unusable', problems }
  const references = lintReferences(applied, limits.expandedSubschemas)
  if (references.length > 0) return { kind: 'unusable', problems: references }
  const patterns = lintPatterns(applied, limits)
  return patterns ?? { kind: 'usable', subschemas }
}

/** Returns the problem if a document is too large to read. This is the only check of a value that may not be JSON. */
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
    return `has ${linked} references, patterns and lists of values; the maximum is ${limits.linked}`
  return undefined
}

function countLinked(schema: unknown): number {
  if (!isJsonObject(schema)) return 0
  const { $ref, enum: allowed, uniqueItems } = schema
  const values = Array.isArray(allowed) ? allowed : [schema['const']]
  const parts = [$ref !== undefined, uniqueItems === true, !areFewScalars(values)]
  return parts.filter(Boolean).length + getPatterns(schema).length
}

function tooLarge(message: string): SchemaProblem {
  return { path: '', message: `the schema ${message}`, code: 'schema-too-large' }
}

const DYNAMIC = ['$dynamicAnchor', '$dynamicRef', '$recursiveAnchor', '$recursiveRef']

/** Returns the problems of one schema, without its subschemas. */
function lintSubschema({ schema, path }: Subschema, limits: SchemaLimits): SchemaProblem[] {
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
    const entries = schema[keyword]
    const count = typeof entries === 'object' && entries !== null ? Object.keys(entries).length : 0
    if (count <= limit) return []
    const message = `the schema has ${count} entries in ${keyword}; the maximum is ${limit}`
    return [{ path: appendPointer(path, keyword), message, code: 'schema-too-large' }]
  })
}

/** Identifiers that reach other documents or change the meaning of references are not followed. */
function lintIdentifiers(schema: Record<string, unknown>, path: string): SchemaProblem[] {
  const names = [...DYNAMIC, ...(path === '' ? [] : ['$id'])].filter((name) => name in schema)
  const named = names.map((name): SchemaProblem => ({
    path: appendPointer(path, name),
    message: `the schema uses ${name}, which is not followed; only "$ref" to "#/..." is followed`,
    code: 'schema-reference',
  }))
  const reference = schema['$ref']
  if (reference === undefined || isLocalReference(reference)) return named
  const message = `the schema refers to ${JSON.stringify(reference)}; only "#" and "#/..." in the same schema are followed`
  return [...named, { path: appendPointer(path, '$ref'), message, code: 'schema-reference' }]
}

/** The compiler skips this one property, so a value could not be called valid. */
function lintNames(schema: Record<string, unknown>, path: string): SchemaProblem[] {
  const { properties } = schema
  if (!isJsonObject(properties) || !Object.hasOwn(properties, '__proto__')) return []
  const message = 'the schema names the property __proto__, which is not checked'
  return [{ path: `${path}/properties/__proto__`, message, code: 'schema-name' }]
}

/** Maximum number of nested schemas for the same value, counted through references. */
const MAX_CHAIN = 128

/**
 * Returns the problems of references that apply to the same value. A reference to its own schema never ends, and n short lines can contain 2ⁿ
 * references. Each schema is added up from its parts once, so this takes n steps. A reference back through items or properties ends with the value.
 */
function lintReferences(subschemas: readonly Subschema[], limit: number): SchemaProblem[] {
  const root = subschemas[0]?.schema
  const counts = new Map<unknown, number>()

  function countSubschema(subschema: Subschema, depth: number): number {
    const { schema: node, path } = subschema
    const known = counts.get(node)
    if (known === OPEN) throw new ReferenceProblem(path, 'the schema refers to itself')
    if (known !== undefined) return known
    if (depth > MAX_CHAIN)
      throw new ReferenceProblem(path, `the schema chains more than ${MAX_CHAIN} references`)
    counts.set(node, OPEN)
    const parts = [...subschemasInPlace(subschema), ...getTarget(subschema, root)]
    const count = parts.reduce((sum, part) => sum + countSubschema(part, depth + 1), 1)
    if (count > limit)
      throw new ReferenceProblem(
        path,
        `the schema grows to more than ${limit} subschemas through "$ref"`,
      )
    if (isJsonObject(node)) counts.set(node, count)
    else counts.delete(node)
    return count
  }

  try {
    for (const subschema of subschemas) countSubschema(subschema, 0)
    return []
  } catch (error) {
    if (!(error instanceof ReferenceProblem)) throw error
    const { path, message } = error
    return [{ path, message, code: 'schema-reference' }]
  }
}

/** Marks a schema whose parts are being counted. */
const OPEN = -1

class ReferenceProblem extends Error {
  readonly path: string

  constructor(path: string, message: string) {
    super(message)
    this.path = path
  }
}

function getTarget({ schema, path }: Subschema, root: unknown): Subschema[] {
  if (!isJsonObject(schema) || !isLocalReference(schema['$ref'])) return []
  const target = followReference(root, schema['$ref'])
  if (typeof target?.schema === 'boolean' || isJsonObject(target?.schema)) return [target]
  throw new ReferenceProblem(
    appendPointer(path, '$ref'),
    `the schema refers to ${JSON.stringify(schema['$ref'])}, which it does not contain`,
  )
}

/** Returns the problems of a document's patterns: first invalid ones, then those that could take too long. */
function lintPatterns(
  subschemas: readonly Subschema[],
  limits: SchemaLimits,
): { kind: 'invalid' | 'unusable'; problems: readonly SchemaProblem[] } | undefined {
  const invalid: SchemaProblem[] = []
  const unusable: SchemaProblem[] = []
  let weight = 0
  for (const { schema, path } of subschemas) {
    for (const { pattern, at } of isJsonObject(schema) ? getPatterns(schema) : []) {
      const patternPath = path + at
      if (pattern.length > limits.patternLength) {
        unusable.push(
          notLinear(patternPath, `it is longer than ${limits.patternLength} characters`),
        )
        continue
      }
      if (weight > limits.patternSteps) return { kind: 'unusable', problems: [tooMany(limits)] }
      const read = readPattern(pattern)
      weight += read.weight
      if (read.kind === 'invalid') invalid.push(notAPattern(patternPath, pattern, read.reason))
      if (read.kind === 'unusable') unusable.push(notLinear(patternPath, read.reason))
    }
  }
  if (invalid.length > 0) return { kind: 'invalid', problems: invalid }
  if (weight > limits.patternSteps) unusable.push(tooMany(limits))
  return unusable.length > 0 ? { kind: 'unusable', problems: unusable } : undefined
}

/** Returns the patterns of one schema, and their paths. */
function getPatterns(schema: Record<string, unknown>): { pattern: string; at: string }[] {
  const { pattern, patternProperties } = schema
  const own = typeof pattern === 'string' ? [{ pattern, at: '/pattern' }] : []
  const named = isJsonObject(patternProperties) ? Object.keys(patternProperties) : []
  const namesPath = '/patternProperties'
  return [...own, ...named.map((name) => ({ pattern: name, at: appendPointer(namesPath, name) }))]
}

function notAPattern(path: string, pattern: string, reason: string): SchemaProblem {
  const message = `the pattern is not a regular expression of ECMAScript with the flag "u": ${reason}`
  const got = JSON.stringify(pattern)
  return { path, message, expected: 'a regular expression', got, code: 'invalid-pattern' }
}

function notLinear(path: string, reason: string): SchemaProblem {
  const message = `the pattern cannot be checked in linear time: ${reason}`
  return { path, message, code: 'schema-pattern' }
}

function tooMany({ patternSteps }: SchemaLimits): SchemaProblem {
  const message = `the patterns of the schema are larger than ${patternSteps} steps together`
  return { path: '', message, code: 'schema-pattern' }
}
