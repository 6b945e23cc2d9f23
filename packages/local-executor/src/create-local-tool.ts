import type { Tool, ToolCall, ToolContext, ToolDefinition, ToolResult } from '@toolblocks/protocol'
import { spawnTool } from './live/spawn-tool.ts'
import type { LocalToolDefinition } from './local-tool-definition.ts'
import { type LocalToolOptions, openLocalTool } from './read-local-tool.ts'
import { type LocalCall, runTool } from './run-tool.ts'

/**
 * Makes an executable a tool that is started once per call (docs/protocol.md); with `stateful` also one that stays
 * alive between actions. Never rejects for anything the executable did. Throws a `LocalToolError` for a definition that
 * cannot work. On Windows a call rejects with a `MissingLibraryError` where the optional peer `execa` is not installed.
 */
export function createLocalTool(
  definition: LocalToolDefinition,
  options: LocalToolOptions = {},
): Tool {
  const { formatsArguments = false, stateful = false } = definition
  const tool = openLocalTool(definition, options)
  const start =
    (action: LocalCall['action']) =>
    async (call: ToolCall, context: ToolContext): Promise<ToolResult> =>
      await runTool(tool(), { action, call, context })
  return {
    ...describe(definition),
    execute: start('run'),
    ...(formatsArguments && { formatArguments: start('format_arguments') }),
    ...(stateful && { spawn: async (call, context) => spawnTool(tool(), { call, context }) }),
  }
}

/** What a model may know of the tool. */
function describe(definition: LocalToolDefinition): ToolDefinition {
  const {
    command: _command,
    codeArguments: _codeArguments,
    dashArguments: _dashArguments,
    toolName: _toolName,
    timeoutMs: _timeoutMs,
    env: _env,
    setEnv: _setEnv,
    dialect: _dialect,
    leftBehind: _leftBehind,
    formatsArguments: _formatsArguments,
    stateful: _stateful,
    ...described
  } = definition
  return described
}
