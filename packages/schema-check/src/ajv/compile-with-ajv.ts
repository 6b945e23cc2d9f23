import { Ajv, type ErrorObject, type Options } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { JsonSchema } from '@toolblocks/protocol'
import { fixContains, useJsonEquality } from './equality-keywords.ts'
import { readPattern } from '../patterns/read-pattern.ts'

/** The supported dialects; 2020-12 if a schema names none. */
export type Dialect = '2020-12' | 'draft-07'

/** Runs a compiled schema. The errors are Ajv's, with their values. */
export type RunCheck = (value: unknown) => readonly ErrorObject[]

/** Whether a check reports the first error or all. A list of all takes memory of the size of value and schema. */
export type Thoroughness = 'first' | 'all'

/** Ajv's option `code.regExp`. Ajv caches compiled patterns by their text; without it, all patterns would be the first one. */
const linearEngine = Object.assign(
  (pattern: string) => {
    const read = readPattern(pattern)
    if (read.kind !== 'linear') throw new Error(read.reason)
    return { test: read.pattern.test, toString: () => `/${pattern}/u` }
  },
  { code: 'linearEngine' },
)

/** The schema is known to be valid and safe, so nothing is validated or stored twice. */
const OPTIONS: Options = {
  // Optimizing the generated code takes longer than it saves, because most schemas check few values.
  code: { regExp: linearEngine, optimize: false },
  ownProperties: true,
  inlineRefs: false,
  meta: false,
  validateSchema: false,
  addUsedSchema: false,
}

/** Creates an instance that reads JSON Schema like this package: leniently, and with JSON equality. */
export function createAjv(dialect: Dialect, options: Options): Ajv {
  const lenient = { ...options, strict: false, logger: false, verbose: true } as const
  const ajv = dialect === '2020-12' ? new Ajv2020(lenient) : new Ajv(lenient)
  useJsonEquality(ajv)
  fixContains(ajv, dialect === '2020-12' ? 'prefixItems' : 'items')
  return ajv
}

/** Ajv keeps everything it compiles, so an instance is replaced after this number of subschemas. */
const SUBSCHEMAS_PER_INSTANCE = 2000
const instances = new Map<string, { ajv: Ajv; left: number }>()

function instanceFor(dialect: Dialect, thoroughness: Thoroughness, subschemas: number): Ajv {
  const key = `${dialect} ${thoroughness}`
  const known = instances.get(key)
  if (known && known.left >= subschemas) {
    known.left -= subschemas
    return known.ajv
  }
  const ajv = createAjv(dialect, { ...OPTIONS, allErrors: thoroughness === 'all' })
  addFormats.default(ajv)
  instances.set(key, { ajv, left: SUBSCHEMAS_PER_INSTANCE - subschemas })
  return ajv
}

/** Compiles a schema with local references only. Its own id is removed, so that schemas do not affect each other. */
export function compileWithAjv(
  schema: JsonSchema,
  {
    dialect,
    thoroughness,
    subschemas,
  }: { dialect: Dialect; thoroughness: Thoroughness; subschemas: number },
): RunCheck {
  const validate = instanceFor(dialect, thoroughness, subschemas).compile(nameLocally(schema))
  return (value) => (validate(value) ? [] : (validate.errors ?? []))
}

/** Ajv finds the target of `#` by the name of the document, so all get the same name, which is stored nowhere. */
const LOCAL_NAME = 'toolblocks:/schema'

function nameLocally(schema: JsonSchema): JsonSchema {
  if (typeof schema === 'boolean') return schema
  const { $schema: _dialect, ...rest } = schema
  return { ...rest, $id: LOCAL_NAME }
}
