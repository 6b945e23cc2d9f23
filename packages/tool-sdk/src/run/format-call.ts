import { createErrorResult, isContentBlock, type ToolResult } from '@toolblocks/protocol'
import { checkArguments } from '../arguments/check-arguments.ts'
import type { DefinedTool } from '../defined-tool.ts'
import { text } from '../results/text.ts'
import { toResult } from '../results/returned.ts'
import { failure } from './failure.ts'
import type { GivenRun } from './tool-run.ts'

/** Shows a call to a person before it runs. Never rejects; an error result keeps the call from running. */
export async function formatCall(tool: DefinedTool, given: GivenRun): Promise<ToolResult> {
  if (!tool.formatArguments)
    return createErrorResult(`The tool ${JSON.stringify(tool.name)} does not format its arguments.`)
  try {
    const checked = await checkArguments(tool, given.arguments)
    if (!checked.ok) return checked.result
    const formatted = await tool.formatArguments({ ...given, arguments: checked.value })
    if (typeof formatted === 'string') return toResult(text(formatted))
    return isContentBlock(formatted) || Array.isArray(formatted)
      ? toResult(formatted)
      : failure(tool.name, new TypeError('formatArguments returns a text or blocks'))
  } catch (thrown) {
    return failure(tool.name, thrown)
  }
}
