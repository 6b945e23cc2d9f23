import standalone from 'ajv/dist/standalone/index.js'
import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import type { Ajv } from 'ajv'
import { checkAgainstMetaSchema } from './ajv/check-against-meta-schema.ts'
import { type Dialect, createAjv } from './ajv/compile-with-ajv.ts'
import { collectSubschemas } from './lint/collect-subschemas.ts'
import { explainErrors } from './problems/explain-errors.ts'

/**
 * The text of a JavaScript module whose export `validate` checks values as `compileSchema(schema)` would, for a schema of
 * your own (2020-12) that is known when a program is built: compiling one takes tens of milliseconds in every process.
 * `wrapValidator` of `@toolblocks/schema-check/generated` takes it. Work is not counted: the schema has to be trusted.
 *
 * Throws for what is no schema, and for what no module can hold: `format`, and an `enum` of more than 20 values or of objects.
 */
export function generateValidator(schema: JsonObject): string {
  const [problem] = explainErrors(checkAgainstMetaSchema(schema, '2020-12'))
  if (problem) throw new Error(`not a JSON Schema: ${problem.path || '/'} ${problem.message}`)
  const { written } = collectSubschemas(schema, Infinity)
  if (written.some(({ schema: part }) => isJsonObject(part) && Object.hasOwn(part, 'format')))
    throw new Error('a validator with "format" cannot be written: take compileSchema for it')
  const ajv = createGeneratorAjv('2020-12', { allErrors: true, ownProperties: true }).addSchema(
    schema,
    'root',
  )
  return generateModule(ajv, 'root', '@toolblocks/schema-check/generated')
}

/** An instance whose validators can be written; patterns run on the language's own engine. */
export function createGeneratorAjv(
  dialect: Dialect,
  options: { allErrors?: boolean; ownProperties?: boolean } = {},
): Ajv {
  return createAjv(dialect, { ...options, code: { source: true, esm: true } })
}

/** The module of a schema that an instance knows by name; `from` is where it imports what its code calls. */
export function generateModule(ajv: Ajv, name: string, from: string): string {
  const code = standalone
    .default(ajv, { validate: name })
    .replace('"use strict";', '')
    .replaceAll('require("ajv/dist/runtime/ucs2length").default', 'codePointLength')
    .replaceAll(';const ', ';\nconst ')
  const called = ['codePointLength', 'findEqualItems'].filter((each) => code.includes(each))
  return [
    '// Written by Ajv: see generateValidator of @toolblocks/schema-check.',
    ...(called.length > 0 ? [`import { ${called.join(', ')} } from '${from}'`] : []),
    `/** @type {import('${from}').ValidateFunction} */`,
    code,
    '',
  ].join('\n')
}
