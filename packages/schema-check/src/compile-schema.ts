import type { JsonSchema, Problem } from '@toolblocks/protocol'
import { checkValue, unchecked, type Checked } from './check-value.ts'
import { checkAgainstMetaSchema, compileWithAjv, type Dialect } from './compile-with-ajv.ts'
import { createRecentCache } from './recent-cache.ts'
import { DEFAULT_SCHEMA_LIMITS, type SchemaLimits } from './limits.ts'
import { lintSchema } from './lint/lint-schema.ts'
import { isObject } from './lint/subschemas.ts'
import { explainErrors } from './problems/explain-errors.ts'

/** Checks values, synchronously and without ever throwing. */
export type CheckValue = (value: unknown) => Checked

/** A schema ready for use, or what makes it no schema. */
export type CompiledSchema =
  | { ok: true; check: CheckValue }
  | { ok: false; problems: readonly Problem[] }

/** How schemas are compiled. */
export interface CompileOptions {
  /** Each defaults to the value in `DEFAULT_SCHEMA_LIMITS`. */
  limits?: Partial<SchemaLimits>
}

const RECENT = 256
const recent = createRecentCache<CompiledSchema>(RECENT)
const compiledObjects = new WeakMap<object, CompiledSchema>()

/**
 * Prepares a JSON Schema from anywhere for checking values: 2020-12, or draft-07 where `$schema` says so.
 *
 * What is not a schema is `{ok: false}` with its problems. What is one but could take too long (size, `$ref` that leave
 * the schema or lead back, patterns only a backtracking engine can run) compiles to a check that answers `unchecked`
 * with the reason. Schema objects are taken as immutable: the same object is compiled once for as long as it lives, and the
 * 256 most recent schemas are also kept by their JSON text.
 */
export function compileSchema(schema: JsonSchema, options: CompileOptions = {}): CompiledSchema {
  if (typeof schema !== 'boolean' && !isObject(schema)) return notASchema(schema)
  if (typeof schema === 'boolean' || options.limits) return compileForeign(schema, options)
  const known = compiledObjects.get(schema)
  if (known) return known
  const compiled = compileForeign(schema, options)
  compiledObjects.set(schema, compiled)
  return compiled
}

function compileForeign(schema: JsonSchema, options: CompileOptions): CompiledSchema {
  const limits = { ...DEFAULT_SCHEMA_LIMITS, ...options.limits }
  const linted = lintSchema(schema, limits)
  if (!linted.ok) return uncheckable(linted.problems)
  const key = JSON.stringify([schema, options.limits ?? null])
  return recent(key, () => compileLinted(schema, { limits, cost: linted.cost }))
}

function compileLinted(
  schema: JsonSchema,
  { limits, cost }: Pick<Parameters<typeof checkValue>[1], 'limits' | 'cost'>,
): CompiledSchema {
  const dialect = dialectOf(schema)
  if (dialect === undefined) return uncheckable([unknownDialect(schema)])
  const errors = checkAgainstMetaSchema(schema, dialect)
  if (errors.length > 0) return { ok: false, problems: explainErrors(errors) }
  try {
    const run = compileWithAjv(withoutIdentity(schema), dialect)
    return { ok: true, check: (value) => checkSafely(value, { run, cost, limits }) }
  } catch (error) {
    return uncheckable([broken('the schema could not be compiled', error)])
  }
}

function checkSafely(value: unknown, compiled: Parameters<typeof checkValue>[1]): Checked {
  try {
    return checkValue(value, compiled)
  } catch (error) {
    return unchecked(broken('the value could not be checked', error))
  }
}

function uncheckable(problems: readonly Problem[]): CompiledSchema {
  return { ok: true, check: () => unchecked(...problems) }
}

function notASchema(schema: unknown): CompiledSchema {
  const got = schema === null ? 'null' : Array.isArray(schema) ? 'array' : typeof schema
  const message = `expected a JSON Schema (an object, true or false), got ${got}`
  const problem = { path: '', message, expected: 'object or boolean', got, code: 'not-a-schema' }
  return { ok: false, problems: [problem] }
}

function dialectOf(schema: JsonSchema): Dialect | undefined {
  const said = typeof schema === 'boolean' ? undefined : schema['$schema']
  if (said === undefined) return '2020-12'
  if (typeof said !== 'string') return undefined
  switch (said.replace(/#$/, '').replace(/^http:/, 'https:')) {
    case 'https://json-schema.org/draft/2020-12/schema':
      return '2020-12'
    case 'https://json-schema.org/draft-07/schema':
      return 'draft-07'
    default:
      return undefined
  }
}

function unknownDialect(schema: JsonSchema): Problem {
  const got = JSON.stringify(typeof schema === 'boolean' ? undefined : schema['$schema'])
  const expected = 'draft 2020-12 or draft-07'
  const message = `the schema is written in a dialect that is not checked; expected ${expected}, got ${got}`
  return { path: '/$schema', message, expected, got, code: 'schema-dialect' }
}

/** References are local, so the names a document gives itself can only do harm. */
function withoutIdentity(schema: JsonSchema): JsonSchema {
  if (typeof schema === 'boolean') return schema
  const { $id: _id, $schema: _dialect, ...rest } = schema
  return rest
}

function broken(what: string, error: unknown): Problem {
  const reason = error instanceof Error ? error.message : String(error)
  return { path: '', message: `${what}: ${reason}`, code: 'schema-broken' }
}
