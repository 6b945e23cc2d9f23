import {
  type LiveCall,
  runLiveCall,
  type Tool,
  type ToolCall,
  type ToolContext,
  type ToolDefinition,
  type ToolResult,
} from '@toolblocks/protocol'
import { spawnTool } from './live/spawn-tool.ts'
import type { LocalToolDefinition } from './local-tool-definition.ts'
import { type LocalToolOptions, openLocalTool } from './read-local-tool.ts'
import { type LocalCall, runTool } from './run-tool.ts'

/**
 * Makes an executable a tool that is started once per call (docs/protocol.md); with `stateful` one that stays alive between actions, and
 * while a call that has no handle runs from start to end: its questions are answered where it is, and it is never started again. Never rejects for anything the executable did. Throws a `LocalToolError` for a definition that
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
  const spawn = async (call: ToolCall, context: ToolContext): Promise<LiveCall> =>
    await spawnTool(tool(), { call, context })
  const runToEnd = async (call: ToolCall, context: ToolContext): Promise<ToolResult> =>
    await runLiveCall(await spawn(call, context), {
      call,
      answers: context.answers,
      signal: context.signal,
      timeoutMs: tool().timeoutMs,
      ...(context.ask && { ask: context.ask }),
    })
  return {
    ...describe(definition),
    execute: stateful ? runToEnd : start('run'),
    ...(formatsArguments && { formatArguments: start('format_arguments') }),
    ...(stateful && { spawn }),
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
