import type { Tool, ToolCall, ToolContext, ToolResult } from '@toolblocks/protocol'
import { DEFAULT_TIMEOUT_MS, type LocalToolDefinition } from './local-tool-definition.ts'
import { spawnTool } from './live/spawn-tool.ts'
import { toolEnvironment } from './process/environment.ts'
import { hostEnvironment } from './process/operating-system.ts'
import { readDefinition } from './read-definition.ts'
import { type LocalCall, type LocalTool, runTool } from './run-tool.ts'

/** What a host decides for all its local tools. */
export interface LocalToolOptions {
  /** Where the variables a tool may see come from. Default: this process's. Read once, when a tool is made. */
  environment?: Readonly<Record<string, string | undefined>>
  /** Milliseconds a tool has to end after it was asked to (SIGTERM), before it is killed. Default: 2000. */
  graceMs?: number
}

const DEFAULT_GRACE_MS = 2000

/**
 * Makes an executable a tool that is started once per call (design section 4). Never rejects for anything
 * the executable did. Throws a `LocalToolError` for a definition that cannot work.
 */
export function createLocalTool(
  definition: LocalToolDefinition,
  options: LocalToolOptions = {},
): Tool {
  const {
    command: _,
    toolName = definition.name,
    timeoutMs = DEFAULT_TIMEOUT_MS,
    env = [],
    setEnv = {},
    dialect = 'blocks',
    formatsArguments = false,
    stateful = false,
    ...described
  } = definition
  const tool: LocalTool = {
    name: definition.name,
    toolName,
    command: readDefinition(definition),
    timeoutMs,
    graceMs: options.graceMs ?? DEFAULT_GRACE_MS,
    dialect,
    env: toolEnvironment(options.environment ?? hostEnvironment(), { env, setEnv }),
  }
  const start =
    (action: LocalCall['action']) =>
    (call: ToolCall, context: ToolContext): Promise<ToolResult> =>
      runTool(tool, { action, call, context })
  return {
    ...described,
    execute: start('run'),
    ...(formatsArguments && { formatArguments: start('format_arguments') }),
    ...(stateful && { spawn: async (call, context) => spawnTool(tool, { call, context }) }),
  }
}
