import type { JsonSchema, JsonValue, Problem } from '@toolblocks/protocol'
import { compileSchema } from '@toolblocks/schema-check'

/** Returns the validation errors of a person's answer. If the schema cannot be checked, the caller decides. */
export function getProblems(value: JsonValue, schema: JsonSchema): readonly Problem[] {
  const compiled = compileSchema(schema)
  if (!compiled.ok) return []
  const { verdict, problems } = compiled.check(value)
  return verdict === 'invalid' ? problems : []
}
