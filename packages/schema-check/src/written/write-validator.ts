import { isJsonObject, type JsonObject } from '@toolblocks/protocol'
import { collectSubschemas } from '../lint/collect-subschemas.ts'
import { checkAgainstMetaSchema } from '../meta-schema/check-against-meta-schema.ts'
import { explainErrors } from '../problems/explain-errors.ts'
import { createWritingAjv, writeModule } from './write-module.ts'

/**
 * The text of a JavaScript module whose export `validate` checks values as `compileSchema(schema)` would, for a schema of
 * your own (2020-12) that is known when a program is built: compiling one takes tens of milliseconds in every process.
 * `useValidator` of `@toolblocks/schema-check/written` takes it. Work is not counted: the schema has to be trusted.
 *
 * Throws for what is no schema, and for what no module can hold: `format`, and an `enum` of more than 20 values or of objects.
 */
export function writeValidator(schema: JsonObject): string {
  const [problem] = explainErrors(checkAgainstMetaSchema(schema, '2020-12'))
  if (problem) throw new Error(`not a JSON Schema: ${problem.path || '/'} ${problem.message}`)
  const { written } = collectSubschemas(schema, Infinity)
  if (written.some(({ schema: part }) => isJsonObject(part) && Object.hasOwn(part, 'format')))
    throw new Error('a validator with "format" cannot be written: take compileSchema for it')
  const ajv = createWritingAjv('2020-12', { allErrors: true, ownProperties: true }).addSchema(
    schema,
    'root',
  )
  return writeModule(ajv, 'root', '@toolblocks/schema-check/written')
}
