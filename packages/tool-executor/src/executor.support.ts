import {
  createSuccessResult,
  type CallContext,
  type Tool,
  type ToolCall,
  type ToolContext,
  type ToolResult,
} from '@toolblocks/protocol'
import { createToolExecutor } from './create-tool-executor.ts'
import type { ToolEntry } from './tool-entry.ts'

export const context: CallContext = { signal: new AbortController().signal, root: '/home/ada' }

export function makeCall(name: string, values: Record<string, unknown> = {}): ToolCall {
  return { id: 'call-1', name, arguments: values }
}

/** A tool that returns its arguments. */
export function echo(seen: { calls: ToolCall[]; contexts: ToolContext[] }): Tool {
  return {
    name: 'echo',
    inputSchema: {
      type: 'object',
      properties: { text: { type: 'string' }, times: { type: 'integer', default: 1 } },
      required: ['text'],
      additionalProperties: false,
    },
    execute: async (call, toolContext) => {
      seen.calls.push(call)
      seen.contexts.push(toolContext)
      return createSuccessResult([{ type: 'text', text: JSON.stringify(call.arguments) }])
    },
  }
}

export function answering(
  result: ToolResult | (() => Promise<ToolResult>),
  settings: Partial<ToolEntry> = {},
): ToolEntry {
  const execute = typeof result === 'function' ? result : async () => result
  return { tool: { name: 'answer', inputSchema: true, execute }, policy: 'unattended', ...settings }
}

export const getText = (result: ToolResult): string =>
  result.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n')

export async function run(
  entry: ToolEntry,
  call?: ToolCall,
  extra: Partial<CallContext> = {},
): Promise<ToolResult> {
  const executor = createToolExecutor({ tools: [entry] })
  return executor.execute(call ?? makeCall(entry.tool.name), { ...context, ...extra })
}
