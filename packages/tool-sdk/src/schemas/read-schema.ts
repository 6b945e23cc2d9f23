import { isJsonObject, type JsonObject, mapSchema, withPrefixItems } from '@toolblocks/protocol'
import { ToolDefinitionError } from '../tool-definition-error.ts'
import { localizeReferences } from './localize-references.ts'
import type { Schema, StandardSchema } from './schema.ts'

/** Checks a value by the library that made its schema, and gives what it made of the value. */
export type Validate = NonNullable<StandardSchema['~standard']['validate']>

/** A schema as JSON, whatever it was written with. */
export interface ReadSchema {
  schema: JsonObject
  /** Absent: the JSON Schema says it all. */
  validate?: Validate
}

const DIALECT = /^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/

/** Reads what describes a value; `about` names it in errors: `the arguments of "read"`. Throws a `ToolDefinitionError`. */
export function readSchema(given: Schema, about: string): ReadSchema {
  if (given['~standard'] === undefined) return { schema: plain(given, about) }
  const { vendor, validate, jsonSchema } = given['~standard']
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
      `the schema of ${about} is one of ${vendor} that cannot say itself as JSON Schema; ${way}`,
    )
  }
  try {
    return jsonSchema.input({ target: 'draft-2020-12' })
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    const message = `${vendor} cannot write the schema of ${about} as JSON Schema: ${reason}`
    throw new ToolDefinitionError('no-json-schema', message, { cause })
  }
}

/** What JSON says of it: without symbols, hidden fields and what is undefined. */
function plain(schema: unknown, about: string): JsonObject {
  const copy: unknown = schema === undefined ? undefined : JSON.parse(JSON.stringify(schema))
  if (!isJsonObject(copy))
    throw new ToolDefinitionError('no-json-schema', `the schema of ${about} is no JSON Schema`)
  const { $schema: dialect, ...rest } = copy
  const isUsual = typeof dialect === 'string' && DIALECT.test(dialect)
  // TypeBox writes tuples as older drafts did.
  return localizeReferences(mapSchema(isUsual ? rest : copy, withPrefixItems))
}
