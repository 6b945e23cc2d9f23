import type { JsonSchema, JsonValue, Problem } from '@toolblocks/protocol'
import { compileSchema } from '@toolblocks/schema-check'

/** Why a value a person gave does not fit. What cannot be checked is not held back here: whoever asks decides on it. */
export function getProblems(value: JsonValue, schema: JsonSchema): readonly Problem[] {
  const compiled = compileSchema(schema)
  if (!compiled.ok) return []
  const { verdict, problems } = compiled.check(value)
  return verdict === 'invalid' ? problems : []
}
