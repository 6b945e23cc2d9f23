import type { JsonSchema, Problem, ToolCall } from '@toolblocks/protocol'
import { compileSchema } from '@toolblocks/schema-check'

/** `unchecked`: the schema could not be used, so nothing is known about the arguments. */
export interface CheckedArguments {
  verdict: 'valid' | 'invalid' | 'unchecked'
  problems: readonly Problem[]
}

/** Checks a call's arguments against the tool's `inputSchema`. */
export function checkArguments(call: ToolCall, schema: JsonSchema): CheckedArguments {
  const compiled = compileSchema(schema)
  return compiled.ok
    ? compiled.check(call.arguments)
    : { verdict: 'unchecked', problems: compiled.problems }
}
