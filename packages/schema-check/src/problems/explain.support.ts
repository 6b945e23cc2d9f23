import type { JsonSchema, Problem } from '@toolblocks/protocol'
import { compileSchema } from '../compile-schema.ts'

/** What is wrong with a value. */
export function problems(schema: JsonSchema, value: unknown): readonly Problem[] {
  const compiled = compileSchema(schema)
  return compiled.ok ? compiled.check(value).problems : compiled.problems
}

/** What is wrong with a value, in lines for a person. */
export const lines = (schema: JsonSchema, value: unknown): string[] =>
  problems(schema, value).map(({ path, message }) => `${path}: ${message}`)
