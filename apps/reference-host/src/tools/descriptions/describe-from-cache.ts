import { setImmediate as afterNow } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Asked, Describe, Description } from './describe.ts'
import type { DescriptionCache } from './description-cache.ts'

/** Where descriptions come from. */
export interface Sources {
  /** Asks the program. */
  describe: Describe
  cache: DescriptionCache
  /** Of what the description depends on; `undefined`: only the program knows. */
  fingerprint: (asked: Asked) => string | undefined
  /** Called before a program is asked that nothing is known of. */
  onFirst?: (asked: Asked) => void
  /** Ask every program now. */
  refresh?: boolean
}

/** Descriptions from a cache, and what turned out to be out of date. */
export interface CachedDescribe {
  describe: Describe
  /**
   * Settles when every program whose description came from the cache has been asked in the background: those whose answer is
   * another by now. What a program imports is in no fingerprint.
   */
  settled(): Promise<readonly Asked[]>
}

/** Serves known descriptions at once and asks their programs all the same, once. */
export function createCachedDescribe(sources: Sources): CachedDescribe {
  const { describe, cache, fingerprint, onFirst, refresh = false } = sources
  const checks: Promise<readonly Asked[]>[] = []

  async function ask(asked: Asked, key: string | undefined): Promise<Description> {
    const description = await describe(asked)
    if (description.ok && key !== undefined) cache.keep(key, description)
    return description
  }

  /** Later, because starting a program takes longer than all tools that are known. */
  async function check(asked: Asked, key: string, known: Description): Promise<readonly Asked[]> {
    await afterNow()
    const description = await describe(asked)
    if (!description.ok || isDeepStrictEqual(description, known)) return []
    cache.keep(key, description)
    return [asked]
  }

  return {
    async describe(asked) {
      const key = fingerprint(asked)
      const known = key === undefined ? undefined : cache.read(key)
      if (key !== undefined && known && !refresh) {
        checks.push(check(asked, key, known))
        return known
      }
      if (!known) onFirst?.(asked)
      return ask(asked, key)
    },
    async settled() {
      const changed = (await Promise.all(checks)).flat()
      cache.save()
      return changed
    },
  }
}
