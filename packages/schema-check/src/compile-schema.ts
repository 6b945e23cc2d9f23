import type { ErrorObject } from 'ajv'
import { type JsonSchema, isJsonObject } from '@toolblocks/protocol'
import { followReference, getErrorText } from '@toolblocks/protocol/internal'
import { checkAgainstMetaSchema } from './ajv/check-against-meta-schema.ts'
import {
  type Dialect,
  type RunCheck,
  type Thoroughness,
  compileWithAjv,
} from './ajv/compile-with-ajv.ts'
import { type CountCheck, createStepCounter } from './cost/count-steps.ts'
import { isDeeperThan } from './cost/measure-json.ts'
import type { CollectedSubschemas } from './lint/collect-subschemas.ts'
import { DEFAULT_SCHEMA_LIMITS, MAX_EXPLAINED_WORK, type SchemaLimits } from './lint/limits.ts'
import { lintSchema, lintSize } from './lint/lint-schema.ts'
import type { SchemaProblem } from './lint/schema-problem.ts'
import { createRecentCache } from './patterns/recent-cache.ts'
import { explainErrors } from './problems/explain-errors.ts'

/** `unchecked` is not `valid`: nothing is known about the value. */
type CheckVerdict = 'valid' | 'invalid' | 'unchecked'

/** The result of checking one value. */
export interface CheckedValue {
  /** `unchecked`: nothing is known of the value. */
  verdict: CheckVerdict
  /** For `invalid`, the validation errors; for `unchecked`, why the value could not be checked. */
  problems: readonly SchemaProblem[]
}

/** Checks values synchronously. Never throws. */
export type CheckValue = (value: unknown) => CheckedValue

/** A compiled schema, or the problems of an invalid one. */
export type CompiledSchema =
  | {
      ok: true
      check: CheckValue
      /** Why every value is `unchecked`; absent if values can be checked. */
      unusable?: readonly SchemaProblem[]
    }
  | { ok: false; problems: readonly SchemaProblem[] }

/** Options of `compileSchema`. */
export interface CompileOptions {
  /** Each limit defaults to `DEFAULT_SCHEMA_LIMITS`. */
  limits?: Partial<SchemaLimits>
}

const recent = createRecentCache<CompiledSchema>({ entries: 256, characters: 1024 * 1024 })

const compiledObjects = new WeakMap<object, CompiledSchema>()

/**
 * Prepares an untrusted JSON Schema for checking values: 2020-12, or draft-07 if `$schema` says so. Never throws.
 *
 * An invalid schema gives `{ok: false}` with its problems. A valid one that could take too long (size, a `$ref` that leaves the schema or never
 * ends, patterns that need backtracking) answers every value with `unchecked` and the reason. Any other is compiled when the first value is
 * checked. Schema objects must not change: the same object is prepared once during its life, and up to 256 recent schemas (1 MiB of text) are also
 * cached by their JSON text.
 */
export function compileSchema(schema: JsonSchema, options: CompileOptions = {}): CompiledSchema {
  if (typeof schema !== 'boolean' && !isJsonObject(schema)) return notASchema(schema)
  if (typeof schema === 'boolean' || options.limits) return compileSafely(schema, options)
  const known = compiledObjects.get(schema)
  if (known) return known
  const compiled = compileSafely(schema, options)
  compiledObjects.set(schema, compiled)
  return compiled
}

function notASchema(schema: unknown): CompiledSchema {
  const got = schema === null ? 'null' : Array.isArray(schema) ? 'array' : typeof schema
  const message = `expected a JSON Schema (an object, true or false), got ${got}`
  const expected = 'object or boolean'
  return { ok: false, problems: [{ path: '', message, expected, got, code: 'not-a-schema' }] }
}

function compileSafely(schema: JsonSchema, options: CompileOptions): CompiledSchema {
  try {
    return compileForeign(schema, { ...DEFAULT_SCHEMA_LIMITS, ...options.limits })
  } catch (error) {
    return uncheckable([broken('the schema could not be read', error)])
  }
}

function compileForeign(schema: JsonSchema, limits: SchemaLimits): CompiledSchema {
  const refusal = lintSize(schema, limits)
  if (refusal) return uncheckable([refusal])
  const text = JSON.stringify(schema)
  const key = limits === DEFAULT_SCHEMA_LIMITS ? text : `${JSON.stringify(limits)} ${text}`
  // The schema's JSON text is compiled, because objects of a host may hold more than their text shows.
  return recent(key, () => {
    const schemaOfText: JsonSchema = JSON.parse(text)
    return compileLinted(schemaOfText, limits)
  })
}

function compileLinted(schema: JsonSchema, limits: SchemaLimits): CompiledSchema {
  const dialect = findDialect(schema)
  if (dialect === undefined) return uncheckable([unknownDialect(schema)])
  const linted = lintSchema(schema, limits)
  switch (linted.kind) {
    case 'invalid':
      return { ok: false, problems: linted.problems }
    case 'unusable':
      return uncheckable(linted.problems)
    case 'usable':
      return compileUsable(schema, { subschemas: linted.subschemas, dialect, limits })
  }
}

function findDialect(schema: JsonSchema): Dialect | undefined {
  const uri = typeof schema === 'boolean' ? undefined : schema['$schema']
  if (uri === undefined) return '2020-12'
  if (typeof uri !== 'string') return undefined
  switch (uri.replace(/#$/, '').replace(/^http:/, 'https:')) {
    case 'https://json-schema.org/draft/2020-12/schema':
      return '2020-12'
    case 'https://json-schema.org/draft-07/schema':
      return 'draft-07'
    default:
      return undefined
  }
}

function unknownDialect(schema: JsonSchema): SchemaProblem {
  const got = JSON.stringify(typeof schema === 'boolean' ? undefined : schema['$schema'])
  const expected = 'draft 2020-12 or draft-07'
  const message = `the schema uses a dialect that is not supported; expected ${expected}, got ${got}`
  return { path: '/$schema', message, expected, got, code: 'schema-dialect' }
}

function compileUsable(
  schema: JsonSchema,
  how: { subschemas: CollectedSubschemas; dialect: Dialect; limits: SchemaLimits },
): CompiledSchema {
  const problems = problemsAsSchema(schema, how.subschemas, how.dialect)
  if (problems.length > 0) return { ok: false, problems }
  const usable = prepareSchema(schema, how)
  return { ok: true, check: (value) => checkSafely(value, usable) }
}

/** Checks the targets of `$ref`, which must be schemas, wherever they are. */
function problemsAsSchema(
  schema: JsonSchema,
  { elsewhere }: CollectedSubschemas,
  dialect: Dialect,
): readonly SchemaProblem[] {
  const places = [{ schema, path: '' }, ...elsewhere]
  return places.flatMap((subschema) =>
    explainErrors(checkAgainstMetaSchema(subschema.schema, dialect)).map((problem) => ({
      ...problem,
      path: subschema.path + problem.path,
    })),
  )
}

/** A schema that can be used. */
interface UsableSchema {
  /** Returns the check; compiles at the first call. */
  runFor: (thoroughness: Thoroughness) => RunCheck
  countSteps: CountCheck
  /** Whether the schema uses `unevaluatedItems` or `unevaluatedProperties`. */
  keepsEvaluated: boolean
  limits: SchemaLimits
}

/** Prepares a safe schema. It is compiled when the first value is checked. */
function prepareSchema(
  schema: JsonSchema,
  {
    subschemas: { applied },
    dialect,
    limits,
  }: { subschemas: CollectedSubschemas; dialect: Dialect; limits: SchemaLimits },
): UsableSchema {
  const compiled = new Map<Thoroughness, RunCheck>()
  const runFor = (thoroughness: Thoroughness): RunCheck => {
    const known = compiled.get(thoroughness)
    const run =
      known ?? compileWithAjv(schema, { dialect, thoroughness, subschemas: applied.length })
    compiled.set(thoroughness, run)
    return run
  }
  const keepsEvaluated = applied.some(
    ({ schema: part }) =>
      isJsonObject(part) && ('unevaluatedItems' in part || 'unevaluatedProperties' in part),
  )
  const resolve = (reference: string) => followReference(schema, reference)?.schema
  const countSteps = createStepCounter(schema, { resolve, keepsEvaluated })
  return { runFor, countSteps, keepsEvaluated, limits }
}

function checkSafely(value: unknown, schema: UsableSchema): CheckedValue {
  try {
    return checkValue(value, schema)
  } catch (error) {
    return unchecked(broken('the value could not be checked', error))
  }
}

/** Maximum nesting of a value. A deeper value is not checked. */
const MAX_VALUE_DEPTH = 128

/** Checks a value, unless schema and value together would take too long. */
function checkValue(value: unknown, schema: UsableSchema): CheckedValue {
  if (isDeeperThan(value, MAX_VALUE_DEPTH)) return unchecked(TOO_DEEP)
  const steps = schema.countSteps(value, schema.limits.work)
  if (steps === undefined) return unchecked(tooLarge(schema.limits))
  return runOn(value, schema, steps > MAX_EXPLAINED_WORK ? 'first' : 'all')
}

const TOO_DEEP: SchemaProblem = {
  path: '',
  message: `the value nests deeper than ${MAX_VALUE_DEPTH} levels`,
  code: 'value-too-deep',
}

function tooLarge({ work }: SchemaLimits): SchemaProblem {
  const message = `the value is too large for this schema: checking it would take more than ${work} steps`
  return { path: '', message, code: 'value-too-large' }
}

function runOn(value: unknown, schema: UsableSchema, thoroughness: Thoroughness): CheckedValue {
  const errors = findErrors(value, schema, thoroughness)
  if (errors.length === 0) return { verdict: 'valid', problems: [] }
  return { verdict: 'invalid', problems: explainErrors(errors) }
}

/**
 * Where Ajv 8 looks for all errors, a branch that failed still evaluates what its `patternProperties` match. So the verdict about unevaluated
 * members is that of the search for the first error.
 */
function findErrors(
  value: unknown,
  { runFor, keepsEvaluated }: UsableSchema,
  thoroughness: Thoroughness,
): readonly ErrorObject[] {
  if (thoroughness === 'first' || !keepsEvaluated) return runFor(thoroughness)(value)
  const first = runFor('first')(value)
  if (first.length === 0) return first
  const all = runFor('all')(value)
  return all.length > 0 ? all : first
}

function uncheckable(problems: readonly SchemaProblem[]): CompiledSchema {
  return { ok: true, check: () => unchecked(...problems), unusable: problems }
}

/** Returns the verdict for a schema or value that cannot be checked. */
function unchecked(...problems: readonly SchemaProblem[]): CheckedValue {
  return { verdict: 'unchecked', problems }
}

function broken(what: string, error: unknown): SchemaProblem {
  const reason = getErrorText(error)
  return { path: '', message: `${what}: ${reason}`, code: 'schema-broken' }
}
