import {
  type LiveCall,
  type Tool,
  type ToolCall,
  type ToolContext,
  type ToolDefinition,
  type ToolResult,
} from '@toolblocks/protocol'
import {
  LIVE_ACTIONS,
  runLiveCall,
  requireArguments,
  escapeUnprintable,
  requireChoices,
} from '@toolblocks/protocol/internal'
import { readCommand } from './command/command.ts'
import type { Command } from './command/template.ts'
import {
  DEFAULT_TIMEOUT_MS,
  type LocalProblem,
  type LocalToolDefinition,
  LocalToolError,
  MAX_TIMEOUT_MS,
  requireCommand,
} from './command/local-tool-definition.ts'
import { checkPlaceholders, renderArguments } from './command/template.ts'
import { NOT_JSON, liveRequest, toolRequest, serializeRequest } from './command/tool-request.ts'
import { TOO_MANY_LIVE, countLive, notStarted } from './live/not-started.ts'
import { startLiveCall } from './live/start-live-call.ts'
import { ON_WINDOWS, hostEnvironment, toolEnvironment } from './process/environment.ts'
import { launchProgram } from './process/launch-program.ts'
import { type LocalCall, type LocalTool, runTool } from './run-tool.ts'

/** Settings that a host chooses for all its local tools. */
export interface LocalToolOptions {
  /** The variables from which a tool's environment is taken. Default: those of this process. Read once, when a tool is created. */
  environment?: Readonly<Record<string, string | undefined>>
  /**
   * When a definition is read and checked. Use `at-first-call` for a definition that was valid before and has not changed: many tools are created
   * faster, and a call of an invalid one rejects with the `LocalToolError`. Default: `now`.
   */
  read?: 'now' | 'at-first-call'
  /** Milliseconds between SIGTERM and SIGKILL. Default: 2000. */
  graceMs?: number
}

/** Milliseconds; see `LocalToolOptions`. */
export const DEFAULT_GRACE_MS = 2000

/**
 * Creates a tool from an executable that is started once per call (docs/protocol.md). With `stateful` it stays alive between actions; a call
 * without a handle then runs from start to end, and its questions are answered by the same process. Nothing that the executable does makes a call
 * reject. Throws a `LocalToolError` for an invalid definition.
 */
export function createLocalTool(
  definition: LocalToolDefinition,
  options: LocalToolOptions = {},
): Tool {
  requireArguments('createLocalTool(definition, …)', [definition, { name: 'string' }])
  requireToolOptions('createLocalTool(definition, options)', definition, options)
  requireCommand('createLocalTool(definition, …)', definition.command)
  const { formatsArguments = false, stateful = false } = definition
  const tool = openLocalTool(definition, options)
  const start =
    (action: LocalCall['action']) =>
    async (call: ToolCall, context: ToolContext): Promise<ToolResult> =>
      await runTool(tool(), { action, call, context })
  const spawn = async (call: ToolCall, context: ToolContext): Promise<LiveCall> =>
    await reportUntilSettled(
      context,
      async (telling) => await spawnTool(tool(), { call, context: telling }),
    )
  const runToEnd = async (call: ToolCall, context: ToolContext): Promise<ToolResult> =>
    await reportUntilSettled(context, async (telling) =>
      runLiveCall(await spawnTool(tool(), { call, context: telling }), {
        call,
        answers: context.answers,
        signal: context.signal,
        timeoutMs: tool().timeoutMs,
        ...(context.ask && { ask: context.ask }),
      }),
    )
  return {
    ...describe(definition),
    execute: stateful ? runToEnd : start('run'),
    ...(formatsArguments && { formatArguments: start('format_arguments') }),
    ...(stateful && { spawn }),
  }
}

/** Reports progress only until the work has settled: a host receives no progress after a result. */
async function reportUntilSettled<Settled>(
  context: ToolContext,
  work: (telling: ToolContext) => Promise<Settled>,
): Promise<Settled> {
  const { onProgress } = context
  if (!onProgress) return await work(context)
  let isSettled = false
  const reportProgress: typeof onProgress = (progress) => {
    if (!isSettled) onProgress(progress)
  }
  try {
    return await work({ ...context, onProgress: reportProgress })
  } finally {
    isSettled = true
  }
}

/** Checks the options of a public function that makes a tool; `call` is the function as a caller writes it. */
export function requireToolOptions(
  call: string,
  definition: LocalToolDefinition,
  options: LocalToolOptions,
): void {
  requireChoices(call, 'definition', definition, {
    leftoverProcesses: ['keep', 'stop'],
    dialect: ['blocks', 'outcome'],
  })
  requireChoices(call, 'options', options, { read: ['now', 'at-first-call'] })
}

/** Reads a definition, now or at its first use. Throws a `LocalToolError` then. */
export function openLocalTool(
  definition: LocalToolDefinition,
  options: LocalToolOptions,
): () => LocalTool {
  let tool = options.read === 'at-first-call' ? undefined : readLocalTool(definition, options)
  return () => (tool ??= readLocalTool(definition, options))
}

/** Returns a definition with its defaults, its command and its environment. */
function readLocalTool(definition: LocalToolDefinition, options: LocalToolOptions): LocalTool {
  const { name, env = [], setEnv = {} } = definition
  const host = options.environment ?? hostEnvironment()
  return {
    name,
    toolName: definition.toolName ?? name,
    command: readDefinition(definition),
    timeoutMs: definition.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    graceMs: options.graceMs ?? DEFAULT_GRACE_MS,
    dialect: definition.dialect ?? 'blocks',
    leftoverProcesses: definition.leftoverProcesses ?? 'keep',
    host,
    env: toolEnvironment(host, { env, setEnv }, ON_WINDOWS ? 'windows' : 'posix'),
  }
}

/** Reads the command of a definition. Throws a `LocalToolError` that lists every problem. */
function readDefinition(definition: LocalToolDefinition): Command {
  const command = readCommand(definition.command, definition)
  const problems = [
    ...(command.ok ? checkPlaceholders(command.command, definition.inputSchema) : command.problems),
    ...checkTimeout(definition.timeoutMs),
    ...checkActions(definition.actions),
    ...checkNames('/env', definition.env ?? []),
    ...checkNames('/setEnv', Object.keys(definition.setEnv ?? {})),
  ]
  if (!command.ok || problems.length > 0) throw new LocalToolError(definition.name, problems)
  return command.command
}

function checkTimeout(timeoutMs: number | undefined): LocalProblem[] {
  if (timeoutMs === undefined) return []
  if (Number.isInteger(timeoutMs) && timeoutMs > 0 && timeoutMs <= MAX_TIMEOUT_MS) return []
  const expected = `a whole number of milliseconds from 1 to ${MAX_TIMEOUT_MS}`
  const got = String(timeoutMs)
  const message = `expected ${expected}, got ${got}`
  return [{ path: '/timeoutMs', code: 'invalid-timeout', message, expected, got }]
}

const ACTIONS: readonly string[] = LIVE_ACTIONS

/** The other actions need `spawn`. */
function checkActions(actions: LocalToolDefinition['actions']): LocalProblem[] {
  if (actions === undefined) return []
  const isList = Array.isArray(actions) && actions.every((action) => ACTIONS.includes(action))
  if (isList && actions.includes('spawn')) return []
  const expected = `a list with "spawn" and any of ${ACTIONS.slice(1).join(', ')}`
  const got = escapeUnprintable(JSON.stringify(actions))
  const message = `expected ${expected}, got ${got}`
  return [{ path: '/actions', code: 'invalid-actions', message, expected, got }]
}

function checkNames(path: string, names: readonly string[]): LocalProblem[] {
  return names
    .filter((name) => !/^[^=\0]+$/.test(name))
    .map((name) => {
      const message = `${JSON.stringify(name)} is not the name of a variable: write only the name, without = and value`
      return { path, code: 'invalid-variable', message }
    })
}

/** Starts an executable that stays alive. If it cannot be started, the call is returned as already stopped. */
async function spawnTool(
  tool: LocalTool,
  use: { call: ToolCall; context: ToolContext },
): Promise<LiveCall> {
  const { context } = use
  const spawn = toolRequest('spawn', tool.toolName, use)
  // Checked before the start: a value that is not JSON could not be sent to the running program.
  if (serializeRequest(spawn) === undefined) return notStarted(tool.name, NOT_JSON)
  const rendered = renderArguments(tool.command.args, spawn)
  if (!rendered.ok) return notStarted(tool.name, rendered.message)
  const { program } = tool.command
  const plan = { program, args: rendered.args, cwd: context.root, env: tool.env }
  const liveSlot = countLive()
  if (!liveSlot) return notStarted(tool.name, TOO_MANY_LIVE)
  const launched = await launchProgram(plan).catch((error: unknown) => {
    liveSlot.giveBack()
    throw error
  })
  if (!launched.ok) {
    liveSlot.giveBack()
    return notStarted(tool.name, launched.message)
  }
  void launched.child.exited.then(liveSlot.giveBack)
  return await startLiveCall(launched, {
    name: tool.name,
    dialect: tool.dialect,
    timeoutMs: tool.timeoutMs,
    graceMs: tool.graceMs,
    signal: context.signal,
    ...(context.onProgress && { onProgress: context.onProgress }),
    request: (action, values) =>
      action === 'spawn' ? spawn : liveRequest(action, tool.toolName, { ...use, values }),
  })
}

/** Returns the definition for a model. */
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
    leftoverProcesses: _leftoverProcesses,
    formatsArguments: _formatsArguments,
    stateful: _stateful,
    ...described
  } = definition
  return described
}
