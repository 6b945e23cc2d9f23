/** The bytes that calls of this process have kept, and for which no event was appended yet. */
export interface KeptBytes {
  /** Counts bytes that a call has kept. */
  add(sha256: string): void
  /** Counts bytes down, of which events are about to be appended. `claimed` has those that no other call waits to refer to. */
  claim(hashes: readonly string[]): KeptClaim
}

interface KeptClaim {
  claimed: readonly string[]
  /** Counts the bytes up again, because the events were not appended. */
  undo(): void
}

/** Creates an empty record. After `maxCallMs` a call has ended, and its bytes are forgotten. */
export function createKeptBytes(maxCallMs: number): KeptBytes {
  const kept = new Map<string, { count: number; until: number }>()

  function add(sha256: string): void {
    const time = performance.now()
    const count = (kept.get(sha256)?.count ?? 0) + 1
    // A map keeps the order of insertion, so the oldest entries are the first ones.
    kept.delete(sha256)
    kept.set(sha256, { count, until: time + maxCallMs })
    for (const [name, { until }] of kept) {
      if (until > time) break
      kept.delete(name)
    }
  }

  return {
    add,
    claim: (hashes) => {
      const counted = hashes.filter((sha256) => kept.has(sha256))
      for (const sha256 of counted) {
        const entry = kept.get(sha256)
        if (!entry) continue
        entry.count -= 1
        if (entry.count === 0) kept.delete(sha256)
      }
      return {
        claimed: [...new Set(counted)].filter((sha256) => !kept.has(sha256)),
        undo: () => {
          for (const sha256 of counted) add(sha256)
        },
      }
    },
  }
}
