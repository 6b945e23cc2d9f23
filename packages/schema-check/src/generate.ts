import standalone from 'ajv/dist/standalone/index.js'
import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { requireArguments } from '@toolblocks/protocol/internal'
import type { Ajv } from 'ajv'
import { checkAgainstMetaSchema } from './ajv/check-against-meta-schema.ts'
import { type Dialect, createAjv } from './ajv/compile-with-ajv.ts'
import { collectSubschemas } from './lint/collect-subschemas.ts'
import { explainErrors } from './problems/explain-errors.ts'

/**
 * Returns the text of a JavaScript module whose export `validate` checks values like `compileSchema(schema)`, for your own schema (2020-12) that is
 * known at build time. Compiling one takes tens of milliseconds in every process. Pass `validate` to `wrapValidator` of
 * `@toolblocks/schema-check/internal/generated`. Steps are not counted: the schema must be trusted.
 *
 * Throws for an invalid schema, and for keywords that a module cannot contain: `format`, and an `enum` of more than 20 values or of objects.
 */
export function generateValidator(schema: JsonObject): string {
  const [problem] = explainErrors(checkAgainstMetaSchema(schema, '2020-12'))
  if (problem) throw new Error(`not a JSON Schema: ${problem.path || '/'} ${problem.message}`)
  const { written } = collectSubschemas(schema, Infinity)
  if (written.some(({ schema: part }) => isJsonObject(part) && Object.hasOwn(part, 'format')))
    throw new Error('a validator with "format" cannot be generated; use compileSchema')
  const ajv = createGeneratorAjv('2020-12', { allErrors: true, ownProperties: true }).addSchema(
    schema,
    'root',
  )
  return generateModule(ajv, 'root', '@toolblocks/schema-check/internal/generated')
}

/** Creates an instance whose validators can be generated. Patterns run on the language's own engine. */
export function createGeneratorAjv(
  dialect: Dialect,
  options: { allErrors?: boolean; ownProperties?: boolean } = {},
): Ajv {
  return createAjv(dialect, { ...options, code: { source: true, esm: true } })
}

/** Returns the module of a schema that an instance knows by name. `from` is where it imports its functions from. */
export function generateModule(ajv: Ajv, name: string, from: string): string {
  requireArguments(
    'generateModule(ajv, name, from)',
    [ajv, 'object'],
    [name, 'string'],
    [from, 'string'],
  )
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
