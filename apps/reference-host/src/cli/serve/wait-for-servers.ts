import type { StartingServers } from '@toolblocks/mcp-bridge/server'

/** Seconds that lists wait for servers that are still starting. */
export const START_WAIT_SECONDS = 5

/** Milliseconds that the first answer to a client waits for servers. */
const FIRST_PATIENCE_MS = 1000

/**
 * Returns the milliseconds that the first answer to a client waits, so that it has what servers say of themselves. A machine that has started this
 * process slowly starts servers slowly, too.
 */
export function getFirstPatience(): number {
  return Math.max(FIRST_PATIENCE_MS, 3 * process.uptime() * 1000)
}

/** Whether there are servers that have not started yet. */
export function areStarting(starting: StartingServers | undefined): starting is StartingServers {
  return (starting?.names() ?? []).length > 0
}

/** Waits for servers that are still starting, at most for some time from now on. */
export function limitWait({ names, wait }: StartingServers, waitMs: number): StartingServers {
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, waitMs).unref()
  const over = Promise.race([wait(), late]).finally(() => clearTimeout(timer))
  return { names, wait: async () => await over }
}
