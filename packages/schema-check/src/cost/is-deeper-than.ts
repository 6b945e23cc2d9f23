import { isJsonObject } from '@toolblocks/protocol'

/** Whether arrays and objects stand inside each other in more than so many levels, which also bound the recursion. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (Array.isArray(value)) {
    if (levels < 0) return true
    for (const item of value) if (isDeeperThan(item, levels - 1)) return true
  } else if (isJsonObject(value)) {
    if (levels < 0) return true
    // Twice as fast as a list of the names; members that are inherited do no harm to a measure.
    for (const name in value) if (isDeeperThan(value[name], levels - 1)) return true
  }
  return false
}
