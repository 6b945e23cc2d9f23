import type { Tool, ToolDefinition } from '@toolblocks/protocol'
import { liveSchema, type LiveSchemaForm } from '../handles/live-schema.ts'

/** What a model may know of a tool: its definition without its functions; a live one with its actions. */
export function definitionOf(tool: Tool, form: LiveSchemaForm): ToolDefinition {
  const {
    execute: _execute,
    formatArguments: _format,
    spawn,
    actions: _actions,
    ...definition
  } = tool
  return spawn ? { ...definition, inputSchema: liveSchema(tool, form) } : definition
}
