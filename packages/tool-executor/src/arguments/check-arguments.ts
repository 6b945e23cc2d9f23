import type { JsonSchema, Problem, ToolCall } from '@toolblocks/protocol'
import { isSurelyValid } from '@toolblocks/schema-check/sure'

/** `unchecked`: the schema could not be used, so nothing is known about the arguments. */
export interface CheckedArguments {
  verdict: 'valid' | 'invalid' | 'unchecked'
  problems: readonly Problem[]
}

/** Checks a call's arguments against the tool's `inputSchema`; what checks thoroughly is loaded for arguments that need it. */
export async function checkArguments(
  call: ToolCall,
  schema: JsonSchema,
): Promise<CheckedArguments> {
  if (isSurelyValid(call.arguments, schema)) return { verdict: 'valid', problems: [] }
  const { compileSchema } = await import('@toolblocks/schema-check')
  const compiled = compileSchema(schema)
  return compiled.ok
    ? compiled.check(call.arguments)
    : { verdict: 'unchecked', problems: compiled.problems }
}
