import type { Tool, ToolDefinition } from '@toolblocks/protocol'

/** What a model may know of a tool: its definition without its functions. */
export function definitionOf(tool: Tool): ToolDefinition {
  const {
    execute: _execute,
    formatArguments: _format,
    spawn: _spawn,
    actions: _actions,
    ...definition
  } = tool
  return definition
}
