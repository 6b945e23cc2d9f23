/** How far the files have been read from which the conversations come, and what a person should know about them. */
export interface SourceState {
  /** `beginning`: the pages show only what is at the beginning of the file, and the rest is being read, or could not be. */
  extent: 'beginning' | 'whole'
  /** The share of the files that has been read, from 0 to 1. */
  share: number
  /** Parts of the files that were changed or omitted, each in one line. */
  warnings: readonly string[]
  /** Why not all could be read, and what to do. Absent: it was read, or is being read. */
  problem?: string
}

/** Passes the state of files on to the pages that are open. */
export interface SourceFeed {
  read(): SourceState
  tell(state: SourceState): void
  /** Yields the state now and after each change, until the signal aborts. States between two reads are skipped. */
  follow(signal: AbortSignal): AsyncGenerator<SourceState>
}

/** Creates a feed. Default: all of the files has been read, without a warning. */
export function createSourceFeed(
  first: SourceState = { extent: 'whole', share: 1, warnings: [] },
): SourceFeed {
  let state = first
  let changed = Promise.withResolvers<void>()
  return {
    read: () => state,
    tell: (next) => {
      state = next
      changed.resolve()
      changed = Promise.withResolvers()
    },
    follow: async function* (signal) {
      const left = Promise.withResolvers<void>()
      signal.addEventListener('abort', () => left.resolve(), { once: true })
      let known: SourceState | undefined
      while (!signal.aborted) {
        if (known !== state) {
          known = state
          yield known
        } else await Promise.race([changed.promise, left.promise])
      }
    },
  }
}
