import { DEFAULT_TIMEOUT_MS, type LocalToolDefinition } from './local-tool-definition.ts'
import { hostEnvironment, toolEnvironment } from './process/environment.ts'
import { ON_WINDOWS } from './process/platform.ts'
import { readDefinition } from './read-definition.ts'
import type { LocalTool } from './run-tool.ts'

/** What a host decides for all its local tools. */
export interface LocalToolOptions {
  /** Where the variables a tool may see come from. Default: this process's. Read once, when a tool is made. */
  environment?: Readonly<Record<string, string | undefined>>
  /** Milliseconds a tool has to end after it was asked to (SIGTERM), before it is killed. Default: 2000. */
  graceMs?: number
}

/** Milliseconds; see `LocalToolOptions`. */
export const DEFAULT_GRACE_MS = 2000

/** A definition with every default, its command and its environment read. Throws a `LocalToolError`. */
export function readLocalTool(
  definition: LocalToolDefinition,
  options: LocalToolOptions,
): LocalTool {
  const { name, env = [], setEnv = {} } = definition
  return {
    name,
    toolName: definition.toolName ?? name,
    command: readDefinition(definition),
    timeoutMs: definition.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    graceMs: options.graceMs ?? DEFAULT_GRACE_MS,
    dialect: definition.dialect ?? 'blocks',
    leftBehind: definition.leftBehind ?? 'keep',
    env: toolEnvironment(
      options.environment ?? hostEnvironment(),
      { env, setEnv },
      ON_WINDOWS ? 'windows' : 'posix',
    ),
  }
}
