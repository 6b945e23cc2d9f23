import {
  createErrorResult,
  isToolResult,
  type CallContext,
  type Tool,
  type ToolContext,
} from '@toolblocks/protocol'
import type { ToolEntry } from './tools/tool-entry.ts'

/** What a tool is given of what the host gave. */
export function toToolContext(context: CallContext, entry: ToolEntry): ToolContext {
  const { ask: _ports, answers, unanswered: _unanswered, ...shared } = context
  return { ...shared, answers: answers ?? {}, ...(entry.options && { options: entry.options }) }
}

/** A tool whose answer is a result in any case: what untyped code returns else is a failure of the tool. */
export function withCheckedResult(tool: Tool): Tool {
  return {
    ...tool,
    execute: async (call, context) => {
      const result: unknown = await tool.execute(call, context)
      if (isToolResult(result)) return result
      const text = `The tool "${call.name}" answered with something that is no result; expected {content: [...], isError: true or false}.`
      return createErrorResult(text, undefined, { outcome: 'failed' })
    },
  }
}
