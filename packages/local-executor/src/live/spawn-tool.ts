import type { LiveCall, ToolCall, ToolContext } from '@toolblocks/protocol'
import { renderArguments } from '../command/render-arguments.ts'
import { countLive, TOO_MANY_LIVE } from '../process/in-turn.ts'
import { launchProgram } from '../process/launch-program.ts'
import type { LocalTool } from '../run-tool.ts'
import { liveRequest, NOT_JSON, toolRequest, writeRequest } from '../tool-request.ts'
import { notStarted } from './not-started.ts'
import { startLiveCall } from './start-live-call.ts'

/** Starts an executable that stays alive. One that cannot be started is a call that has stopped already. */
export async function spawnTool(
  tool: LocalTool,
  use: { call: ToolCall; context: ToolContext },
): Promise<LiveCall> {
  const { context } = use
  const spawn = toolRequest('spawn', tool.toolName, use)
  // Before anything is started: a value that is no JSON could not be told to what runs then.
  if (writeRequest(spawn) === undefined) return notStarted(tool.name, NOT_JSON)
  const rendered = renderArguments(tool.command.args, spawn)
  if (!rendered.ok) return notStarted(tool.name, rendered.message)
  const { program } = tool.command
  const plan = { program, args: rendered.args, cwd: context.root, env: tool.env }
  const place = countLive()
  if (!place) return notStarted(tool.name, TOO_MANY_LIVE)
  const launched = await launchProgram(plan).catch((error: unknown) => {
    place.giveBack()
    throw error
  })
  if (!launched.ok) {
    place.giveBack()
    return notStarted(tool.name, launched.message)
  }
  void launched.child.exited.then(place.giveBack)
  return await startLiveCall(launched, {
    name: tool.name,
    dialect: tool.dialect,
    timeoutMs: tool.timeoutMs,
    graceMs: tool.graceMs,
    signal: context.signal,
    request: (action, given) =>
      action === 'spawn' ? spawn : liveRequest(action, tool.toolName, { ...use, given }),
  })
}
