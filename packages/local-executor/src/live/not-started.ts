import { type LiveCall, type ToolResult, createFailure, withStatus } from '@toolblocks/protocol'
import { MAX_LIVE_PROGRAMS, quoteName } from '@toolblocks/protocol/internal'

/** Returns the result of every action after a tool has stopped. */
export function hasStopped(name: string): ToolResult {
  const text = `Tool ${quoteName(name)} has stopped; spawn it again.`
  return withStatus(createFailure(text), 'stopped')
}

/** Returns a live call for a program that could not be started: it is already stopped and contains the reason. */
export function notStarted(name: string, reason: string): LiveCall {
  const text = `Tool ${quoteName(name)} was not started. ${reason}`
  const started = withStatus(createFailure(text), 'stopped')
  const refuse = async (): Promise<ToolResult> => hasStopped(name)
  return { started, fetch: refuse, apply: refuse, abort: refuse }
}

let live = 0

/** Why no further program may stay alive, in a sentence. */
export const TOO_MANY_LIVE = `${MAX_LIVE_PROGRAMS} programs of tools are already running: end one of them first, with abort.`

/** Counts a program that stays alive until `giveBack` is called. Returns `undefined` if `MAX_LIVE_PROGRAMS` are running. */
export function countLive(): { giveBack: () => void } | undefined {
  if (live >= MAX_LIVE_PROGRAMS) return undefined
  live += 1
  return {
    giveBack: () => {
      live -= 1
    },
  }
}
