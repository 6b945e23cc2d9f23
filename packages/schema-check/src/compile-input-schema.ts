import type { JsonSchema } from '@toolblocks/protocol'
import { makeDefaultsOptional } from '@toolblocks/protocol/parameters'
import { type CompiledSchema, compileSchema } from './compile-schema.ts'

/**
 * Prepares the `inputSchema` of a tool for checking arguments, like `compileSchema`. A property with a default may be absent, at every depth, although
 * the schema requires it: schema libraries require it in the schemas that they make, and their tools accept arguments without it. Never throws.
 */
export function compileInputSchema(schema: JsonSchema): CompiledSchema {
  const strict = compileSchema(schema)
  if (!strict.ok || strict.unusable) return strict
  return {
    ok: true,
    check: (value) => {
      const checked = strict.check(value)
      if (checked.verdict !== 'invalid') return checked
      // Only now: with optional properties, alternatives could match that must not, so what the schema accepts stays valid.
      const optional = makeDefaultsOptional(schema)
      if (optional === schema) return checked
      const compiled = compileSchema(optional)
      return compiled.ok ? compiled.check(value) : checked
    },
  }
}
