import { Ajv, type ErrorObject, type Options } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { JsonSchema } from '@toolblocks/protocol'
import { linearEngine } from './lint/linear-pattern.ts'

/** The dialects that are checked; 2020-12 where a schema does not say. */
export type Dialect = '2020-12' | 'draft-07'

/** Runs a compiled schema; the errors are Ajv's, with the values they speak of. */
export type RunCheck = (value: unknown) => readonly ErrorObject[]

const META: Options = { strict: false, logger: false, code: { regExp: linearEngine } }

/** The schema is known to be a schema and to be safe, so nothing is validated or kept twice. */
const OPTIONS: Options = {
  ...META,
  // Optimizing the generated code takes longer than it saves: most schemas check few values.
  code: { regExp: linearEngine, optimize: false },
  allErrors: true,
  ownProperties: true,
  verbose: true,
  inlineRefs: false,
  meta: false,
  validateSchema: false,
  addUsedSchema: false,
}

const metaSchemas = new Map<Dialect, Ajv>()

function create(dialect: Dialect, options: Options): Ajv {
  switch (dialect) {
    case '2020-12':
      return new Ajv2020(options)
    case 'draft-07':
      return new Ajv(options)
  }
}

/** The errors of a schema as a document of its own dialect; compiled once for all schemas. */
export function checkAgainstMetaSchema(
  schema: JsonSchema,
  dialect: Dialect,
): readonly ErrorObject[] {
  const known = metaSchemas.get(dialect)
  const ajv = known ?? create(dialect, { ...META, verbose: true })
  if (!known) metaSchemas.set(dialect, ajv)
  return ajv.validateSchema(schema) === true ? [] : (ajv.errors ?? [])
}

/** Ajv keeps what it compiled, so an instance serves this many schemas and is then left to the collector. */
const SCHEMAS_PER_INSTANCE = 50
const instances = new Map<Dialect, { ajv: Ajv; left: number }>()

function instanceFor(dialect: Dialect): Ajv {
  const known = instances.get(dialect)
  if (known && known.left > 0) {
    known.left -= 1
    return known.ajv
  }
  const ajv = create(dialect, OPTIONS)
  addFormats.default(ajv)
  instances.set(dialect, { ajv, left: SCHEMAS_PER_INSTANCE - 1 })
  return ajv
}

/** Compiles a schema without `$id` and with local references only, so that neighbours do not meet. */
export function compileWithAjv(schema: JsonSchema, dialect: Dialect): RunCheck {
  const validate = instanceFor(dialect).compile(schema)
  return (value) => (validate(value) ? [] : (validate.errors ?? []))
}
