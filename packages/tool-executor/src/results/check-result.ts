import {
  createFailure,
  findNonJson,
  isPlainObject,
  isToolResult,
  type Tool,
  type ToolResult,
} from '@toolblocks/protocol'
import type { ExecutorProblem } from '../executor-problem.ts'
import { readMetadata } from './read-metadata.ts'

/** A tool whose answer is a result made of JSON in any case: what untyped code returns else is a failure of the tool. */
export function withCheckedResult(tool: Tool): Tool {
  return {
    ...tool,
    execute: async (call, context) => checkResult(await tool.execute(call, context), call.name),
  }
}

/** The result, or a failure that says what is wrong with it. A result that is no JSON would change when it is stored. */
export function checkResult(given: unknown, name: string): ToolResult {
  const { result, warnings } = isPlainObject(given)
    ? readMetadata(given)
    : { result: given, warnings: [] }
  if (!isToolResult(result))
    return createFailure(
      `The tool "${name}" answered with something that is no result; expected {content: [...], isError: true or false}.`,
    )
  const odd = findNonJson(result)
  if (odd === undefined) return withWarnings(result, warnings)
  return createFailure(
    `The tool "${name}" answered with something that is no JSON, at ${odd.path}: ${odd.message}.`,
  )
}

function withWarnings(result: ToolResult, warnings: readonly ExecutorProblem[]): ToolResult {
  if (warnings.length === 0) return result
  const all = [...(result.metadata?.warnings ?? []), ...warnings]
  return { ...result, metadata: { ...result.metadata, warnings: all } }
}
