import { DEFAULT_TIMEOUT_MS, type LocalToolDefinition } from './local-tool-definition.ts'
import { hostEnvironment, toolEnvironment } from './process/environment.ts'
import { ON_WINDOWS } from './process/platform.ts'
import { readDefinition } from './read-definition.ts'
import type { LocalTool } from './run-tool.ts'

/** What a host decides for all its local tools. */
export interface LocalToolOptions {
  /** Where the variables a tool may see come from. Default: this process's. Read once, when a tool is made. */
  environment?: Readonly<Record<string, string | undefined>>
  /**
   * When a definition is read and checked. `at-first-call` is for one that was found good before and is the same: many tools
   * are made sooner, and a call of one that cannot work rejects with the `LocalToolError`. Default: `now`.
   */
  read?: 'now' | 'at-first-call'
  /** Milliseconds a tool has to end after it was asked to (SIGTERM), before it is killed. Default: 2000. */
  graceMs?: number
}

/** Milliseconds; see `LocalToolOptions`. */
export const DEFAULT_GRACE_MS = 2000

/** Reads a definition, now or when it is first asked for. Throws a `LocalToolError` then. */
export function openLocalTool(
  definition: LocalToolDefinition,
  options: LocalToolOptions,
): () => LocalTool {
  let tool = options.read === 'at-first-call' ? undefined : readLocalTool(definition, options)
  return () => (tool ??= readLocalTool(definition, options))
}

/** A definition with every default, its command and its environment read. */
function readLocalTool(definition: LocalToolDefinition, options: LocalToolOptions): LocalTool {
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
