import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import {
  appendPointer,
  mapSchema,
  normalizePrefixItems,
  describeValue,
  getErrorText,
} from '@toolblocks/protocol/internal'
import { describeShape, isStandardShape, validateShape } from './read-shape.ts'
import type { StandardSchema, ToolSchema, Validate } from './schema.ts'
import { ToolDefinitionError } from './tool-definition-error.ts'

/** A schema as JSON Schema, whatever library made it. */
interface ReadSchema {
  schema: JsonObject
  /** Absent: the JSON Schema is the whole check. */
  validate?: Validate
}

const DIALECT = /^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/

/** Reads a schema of any kind as JSON Schema; `about` names the schema in errors: `the inputSchema of "read"`. Throws a `ToolDefinitionError`. */
export function readSchema(schema: ToolSchema, about: string): ReadSchema {
  if ((typeof schema !== 'object' && typeof schema !== 'function') || schema === null)
    return { schema: plain(schema, about) }
  if (isStandardShape(schema)) {
    const describe = (part: StandardSchema, name: string): JsonObject =>
      readStandard(part, `${about}, property ${JSON.stringify(name)}`).schema
    return { schema: describeShape(schema, describe), validate: validateShape(schema) }
  }
  if (!isStandard(schema)) return { schema: plain(schema, about) }
  return readStandard(schema, about)
}

function isStandard(schema: ToolSchema): schema is StandardSchema {
  return schema['~standard'] !== undefined
}

function readStandard({ '~standard': standard }: StandardSchema, about: string): ReadSchema {
  const { vendor, validate, jsonSchema } = standard
  const schema = plain(toJsonSchema(jsonSchema, vendor, about), about)
  return validate ? { schema, validate } : { schema }
}

function toJsonSchema(
  jsonSchema: StandardSchema['~standard']['jsonSchema'] | undefined,
  vendor: string,
  about: string,
): unknown {
  if (jsonSchema === undefined) {
    const way =
      vendor === 'valibot'
        ? 'wrap it: toStandardJsonSchema(schema) of @valibot/to-json-schema'
        : `update ${vendor}, or give the JSON Schema itself`
    throw new ToolDefinitionError(
      'no-json-schema',
      `${about}: this schema of ${vendor} cannot be converted to JSON Schema; ${way}`,
    )
  }
  try {
    return jsonSchema.input({ target: 'draft-2020-12' })
  } catch (cause) {
    const reason = getErrorText(cause)
    const message = `${about}: ${vendor} cannot convert this schema to JSON Schema: ${reason}`
    throw new ToolDefinitionError('no-json-schema', message, { cause })
  }
}

/** The schema as JSON: without symbols, hidden fields and fields that are undefined. */
function plain(schema: unknown, about: string): JsonObject {
  const copy: unknown = schema === undefined ? undefined : JSON.parse(JSON.stringify(schema))
  if (!isJsonObject(copy))
    throw new ToolDefinitionError(
      'no-json-schema',
      `${about}: expected a schema of TypeBox, Zod, ArkType or Valibot, or a JSON Schema as an object, got ${describeValue(schema)}`,
    )
  const { $schema: dialect, ...rest } = copy
  const isUsual = typeof dialect === 'string' && DIALECT.test(dialect)
  // TypeBox writes tuples as older drafts did.
  return localizeReferences(mapSchema(isUsual ? rest : copy, normalizePrefixItems))
}

/** A definition that calls itself by a name. */
interface Named {
  name: string
  /** Of the schema that holds the definition: where the name can be used. */
  scope: string
  path: string
}

/**
 * Writes references by name as JSON Pointers: TypeBox names its recursive types by `$id`, which only whoever resolves
 * names can follow.
 */
function localizeReferences(schema: JsonObject): JsonObject {
  const named: Named[] = []
  const withoutNames = mapSchema(schema, (part, path) => {
    const { $defs } = part
    if (!isJsonObject($defs)) return part
    const definitions = Object.entries($defs).map(([name, definition]) => {
      if (!isJsonObject(definition) || definition['$id'] !== name) return [name, definition]
      named.push({ name, scope: path, path: appendPointer(appendPointer(path, '$defs'), name) })
      const { $id: _name, ...rest } = definition
      return [name, rest]
    })
    return { ...part, $defs: Object.fromEntries(definitions) }
  })
  if (named.length === 0) return schema
  return mapSchema(withoutNames, (part, path) => {
    const target = nearest(named, part['$ref'], path)
    return target ? { ...part, $ref: `#${encodeURI(target.path)}` } : part
  })
}

function nearest(named: readonly Named[], reference: unknown, path: string): Named | undefined {
  return named.findLast(
    ({ name, scope }) => name === reference && (path === scope || path.startsWith(`${scope}/`)),
  )
}
