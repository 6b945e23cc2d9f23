import type { Client } from '@modelcontextprotocol/client'

/** How long after a stream's end a new one is opened; ever longer while they end at once. */
const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 5 * 60 * 1000
/** What counts as having lasted. */
const LASTING_MS = 60_000

/**
 * In the modern era a server says that its tools changed only on a stream that was opened for it. Opens one, and again when it ends, for
 * as long as the connection lasts; a server that opens none is left alone.
 */
export async function listenForChanges(
  client: Client,
  onChanged: () => void,
  ended: AbortSignal,
): Promise<void> {
  let pause = FIRST_PAUSE_MS
  let isFirst = true
  while (!ended.aborted) {
    const openedAt = Date.now()
    try {
      const { closed } = await client.listen({ toolsListChanged: true })
      // What changed while nobody listened was not said.
      if (!isFirst) onChanged()
      isFirst = false
      if ((await closed) === 'local') return
    } catch {
      if (isFirst) return
    }
    pause =
      Date.now() - openedAt > LASTING_MS ? FIRST_PAUSE_MS : Math.min(pause * 2, LONGEST_PAUSE_MS)
    await untilLater(pause, ended)
  }
}

async function untilLater(milliseconds: number, ended: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds).unref()
    ended.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })
}
