import { type JsonSchema, type Problem, type ToolResult } from '@toolblocks/protocol'
import { compileSchema } from '@toolblocks/schema-check'
import type { BridgeProblem } from '../bridge-problem.ts'

/** Holds a result against what its tool promised. A warning at most: the result is what it is, and an error promises nothing. */
export function checkStructuredContent(
  result: ToolResult,
  schema: JsonSchema | undefined,
): readonly BridgeProblem[] {
  if (schema === undefined || result.isError) return []
  if (!('structuredContent' in result))
    return [warning('', '"structuredContent" is missing, though the tool has an "outputSchema".')]
  const compiled = compileSchema(schema)
  if (!compiled.ok) return compiled.problems.map((problem) => broken('/outputSchema', problem))
  const { verdict, problems } = compiled.check(result.structuredContent)
  return verdict === 'valid' ? [] : problems.map((problem) => broken('', problem))
}

function broken(place: string, { path, message, expected, got }: Problem): BridgeProblem {
  const text = `"structuredContent" could not be shown to fit the tool's "outputSchema": ${message}.`
  return {
    ...warning(`${place}${path}`, text),
    ...(expected !== undefined && { expected }),
    ...(got !== undefined && { got }),
  }
}

function warning(path: string, message: string): BridgeProblem {
  return { path: `/structuredContent${path}`, message, code: 'output-schema' }
}
