import { formatDuration } from '@toolblocks/protocol/internal'
import type { CallCard } from './read-cards.ts'

/** A shorter time is not shown. In milliseconds. */
const MIN_TOOK_MS = 100

/**
 * Returns the time from the call to its result without the time that people took, if both have one. A clock that was changed gives no duration.
 */
export function describeTook({ call, steps, result }: CallCard): string | undefined {
  if (!result || result.synthetic) return undefined
  let last = Date.parse(call.at)
  let waited = 0
  for (const { at, event } of steps) {
    const time = Date.parse(at)
    if (event.type !== 'question') waited += Math.max(0, time - last)
    last = time
  }
  const took = Date.parse(result.at) - Date.parse(call.at) - waited
  return took >= MIN_TOOK_MS ? formatDuration(took) : undefined
}
