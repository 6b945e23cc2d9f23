import type { ServedSession } from '../serve-session.ts'

const GRACE_MS = 5000

/** Gives the calls that run some time to end, then ends their clients' connections. */
export async function closeSessions(
  sessions: readonly ServedSession[],
  { graceMs = GRACE_MS }: { graceMs?: number } = {},
): Promise<void> {
  const idle = Promise.all(sessions.map(async (session) => await session.idle()))
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, graceMs)
  })
  await Promise.race([idle, late])
  clearTimeout(timer)
  await Promise.all(sessions.map(async (session) => await session.close()))
}
