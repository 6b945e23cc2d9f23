import { requireArguments } from '@toolblocks/protocol/internal'
import type { LiveCall, Tool, ToolCall, ToolContext } from '@toolblocks/protocol'
import { renderArguments } from './command/template.ts'
import {
  type LocalToolOptions,
  createLocalTool,
  openLocalTool,
  requireToolOptions,
} from './create-local-tool.ts'
import { TOO_MANY_LIVE, countLive, notStarted } from './live/not-started.ts'
import { type LocalToolDefinition, requireCommand } from './command/local-tool-definition.ts'
import { toolRequest } from './command/tool-request.ts'
import { loadLibraries } from './pty/load-libraries.ts'
import { startPtyCall } from './pty/start-pty-call.ts'
import { openPseudoTerminal } from './pty/pseudo-terminal.ts'
import { createScreen } from './pty/screen.ts'

/** Options of interactive programs. */
interface PtyToolOptions extends LocalToolOptions {
  /** Milliseconds without output after which the screen is returned. Default: 100. */
  quietMs?: number
}

const QUIET_MS = 100
const CANCELLED = 'The call was already cancelled.'

/**
 * Creates a live tool from an interactive program that does not support the protocol. `fetch` returns its screen of 24 lines by 80 columns as text;
 * `apply` types. If the optional peer dependencies are missing, a spawn says what to install. Throws a `LocalToolError` for an invalid definition.
 */
export function createPtyTool(definition: LocalToolDefinition, options: PtyToolOptions = {}): Tool {
  requireArguments('createPtyTool(definition, …)', [definition, { name: 'string' }])
  requireToolOptions('createPtyTool(definition, options)', definition, options)
  requireCommand('createPtyTool(definition, …)', definition.command)
  const read = openLocalTool(definition, options)

  async function spawn(call: ToolCall, context: ToolContext): Promise<LiveCall> {
    if (context.signal.aborted) return notStarted(definition.name, CANCELLED)
    const tool = read()
    const loaded = await loadLibraries()
    if (!loaded.ok) return notStarted(definition.name, loaded.message)
    const rendered = renderArguments(
      tool.command.args,
      toolRequest('spawn', tool.toolName, { call, context }),
    )
    if (!rendered.ok) return notStarted(definition.name, rendered.message)
    const { program } = tool.command
    const plan = { program, args: rendered.args, cwd: context.root, env: tool.env }
    const liveSlot = countLive()
    if (!liveSlot) return notStarted(definition.name, TOO_MANY_LIVE)
    const opened = openPseudoTerminal(loaded.libraries.spawn, plan)
    if (!opened.ok) {
      liveSlot.giveBack()
      return notStarted(definition.name, opened.message)
    }
    const { terminal } = opened
    void terminal.exited.then(liveSlot.giveBack)
    return await startPtyCall(terminal, createScreen(loaded.libraries.Terminal, terminal), {
      name: definition.name,
      graceMs: tool.graceMs,
      quietMs: options.quietMs ?? QUIET_MS,
      signal: context.signal,
    })
  }

  // Without a handle it runs once, with standard streams: a screen is useful only with typing.
  return { ...createLocalTool({ ...definition, stateful: false }, options), spawn }
}
