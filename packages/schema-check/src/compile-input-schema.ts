import type { JsonSchema } from '@toolblocks/protocol'
import { correctSchema, makeDefaultsOptional } from '@toolblocks/protocol/internal'
import { type CompiledSchema, compileSchema } from './compile-schema.ts'

/**
 * Prepares the `inputSchema` of a tool for checking arguments, like `compileSchema`. A property with a default may be absent, at every depth, although
 * the schema requires it: schema libraries require it in the schemas that they make, and their tools accept arguments without it. Where the schema is
 * wrong, it means what `correctSchema` reads: a model receives that schema. Never throws.
 */
export function compileInputSchema(schema: JsonSchema): CompiledSchema {
  const strict = compileSchema(schema)
  if (strict.ok && strict.unusable) return strict
  const { schema: meant, corrections } = correctSchema(schema)
  if (!strict.ok) return compileOptional(meant, compileSchema(meant))
  return compileOptional(corrections.length > 0 ? meant : schema, strict)
}

/** Checks values by a schema, and those that it refuses by another one, in which what has a default may be absent. */
function compileOptional(schema: JsonSchema, strict: CompiledSchema): CompiledSchema {
  if (!strict.ok || strict.unusable) return strict
  return {
    ok: true,
    check: (value) => {
      const checked = strict.check(value)
      if (checked.verdict !== 'invalid') return checked
      // Only now: with optional properties, alternatives could match that must not, so what the schema accepts stays valid.
      const compiled = compileSchema(makeDefaultsOptional(schema))
      return compiled.ok ? compiled.check(value) : checked
    },
  }
}
