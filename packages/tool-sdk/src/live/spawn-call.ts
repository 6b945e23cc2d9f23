import { createErrorResult, type LiveCall, type ToolResult, withStatus } from '@toolblocks/protocol'
import { checkArguments } from '../arguments/check-arguments.ts'
import type { DefinedTool } from '../defined-tool.ts'
import { failure } from '../run/failure.ts'
import type { GivenRun } from '../run/tool-run.ts'
import { hasStopped, startLiveRun } from './start-live-run.ts'

/** Starts a call that stays alive. Never rejects: what cannot be started has stopped already, and says why. */
export async function spawnCall(tool: DefinedTool, given: GivenRun): Promise<LiveCall> {
  const { name, work } = tool
  if (!work.stateful)
    return notStarted(
      name,
      createErrorResult(`The tool ${JSON.stringify(name)} runs once; call it.`),
    )
  try {
    const checked = await checkArguments(tool, given.arguments)
    if (!checked.ok) return notStarted(name, checked.result)
    const abort = new AbortController()
    const steps = work.run({ ...given, signal: abort.signal, arguments: checked.value })
    const live = await startLiveRun(name, steps, abort)
    given.signal.addEventListener('abort', () => void live.abort(), { once: true })
    if (given.signal.aborted) await live.abort()
    return live
  } catch (thrown) {
    return notStarted(name, failure(name, thrown))
  }
}

function notStarted(tool: string, result: ToolResult): LiveCall {
  const refuse = async (): Promise<ToolResult> => hasStopped(tool)
  return { started: withStatus(result, 'stopped'), fetch: refuse, apply: refuse, abort: refuse }
}
