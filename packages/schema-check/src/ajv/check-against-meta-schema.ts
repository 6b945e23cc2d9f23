import type { ErrorObject, ValidateFunction } from 'ajv'
import type { JsonSchema } from '@toolblocks/protocol'
import type { Dialect } from './compile-with-ajv.ts'
import { validate as validate2020 } from './validate-2020-12.js'
import { validate as validateDraft07 } from './validate-draft-07.js'

/** Written ahead by Ajv: compiling a meta-schema costs tens of milliseconds in every process. */
const validators: Record<Dialect, ValidateFunction> = {
  '2020-12': validate2020,
  'draft-07': validateDraft07,
}

/** The errors of a schema as a document of a dialect. */
export function checkAgainstMetaSchema(
  schema: JsonSchema,
  dialect: Dialect,
): readonly ErrorObject[] {
  const validate = validators[dialect]
  return validate(schema) ? [] : (validate.errors ?? [])
}
