/** The connections of a client whose servers run as programs. A client may have several of them. */
interface ProgramUser {
  /** Identifies the client. */
  client: string
  /** Whether a call or a request of it runs, or it waits for what a server says on its own. */
  isBusy(): boolean
  /** Ends its programs until they are used again. */
  rest(): Promise<void>
}

/** The places of one client. */
interface ClientPlaces {
  /** Waits until a program may be started; the returned function says that it has ended. See `ConnectOptions`. */
  admit(signal: AbortSignal): Promise<() => void>
  /** Says that the client has used its programs now. */
  touch(): void
  leave(): void
}

/** Places for the programs of all clients. */
export interface ProgramPlaces {
  join(user: ProgramUser): ClientPlaces
  close(): void
}

/** How many programs run for clients, and how long without a use. */
interface PlaceLimits {
  /** Default: 50. */
  maxPrograms?: number
  /** Milliseconds without a use after which the programs of a client are ended. Default: 10 minutes. */
  idleMs?: number
}

/** The places of one client, as this module keeps them. */
interface RunningProgram extends ProgramUser {
  running: number
  usedAt: number
}

const MAX_PROGRAMS = 50
const IDLE_MS = 10 * 60 * 1000
/** Milliseconds without a use after which the programs of a client are ended if another client waits for a place. A client pauses between its calls. */
const PAUSE_MS = 250
const CHECK_MS = 50
/** Programs of one client for each free place. Some places are always free for a client that comes, however many long calls another one makes. */
const PROGRAMS_FOR_EACH_FREE = 3

/**
 * Creates the places. If all are taken, the programs of the client that has paused for the longest time are ended; they start again at its next
 * use. Connections that have a program already wait for no further place, or two of them could wait for each other. A client starts programs for
 * further connections only while it has less than three for each free place.
 */
export function createProgramPlaces({
  maxPrograms = MAX_PROGRAMS,
  idleMs = IDLE_MS,
}: PlaceLimits = {}): ProgramPlaces {
  const entries = new Set<RunningProgram>()
  const waiting: { client: string; start: () => void }[] = []
  /** The programs of each client. */
  const held = new Map<string, number>()
  let running = 0
  let checking: NodeJS.Timeout | undefined
  const sweeping = setInterval(() => endIdle(idleMs), Math.max(CHECK_MS, idleMs / 4)).unref()

  /** Ends the programs of clients without a use for this time, the longest first. `most`: how many clients. */
  function endIdle(pauseMs: number, most = Infinity): void {
    const now = performance.now()
    const idle = [...entries].filter(
      (each) => each.running > 0 && now - each.usedAt >= pauseMs && !each.isBusy(),
    )
    for (const each of idle.toSorted((a, b) => a.usedAt - b.usedAt).slice(0, most))
      void each.rest().catch(() => undefined)
  }

  function canStart(client: string): boolean {
    return (held.get(client) ?? 0) < PROGRAMS_FOR_EACH_FREE * (maxPrograms - running)
  }

  function admitWaiting(): void {
    for (;;) {
      const next = waiting.find(({ client }) => canStart(client))
      if (!next) break
      waiting.splice(waiting.indexOf(next), 1)
      next.start()
    }
    if (waiting.length === 0) {
      clearInterval(checking)
      checking = undefined
      return
    }
    endIdle(PAUSE_MS, waiting.length)
    checking ??= setInterval(admitWaiting, CHECK_MS).unref()
  }

  function begin(entry: RunningProgram): () => void {
    running += 1
    held.set(entry.client, (held.get(entry.client) ?? 0) + 1)
    entry.running += 1
    entry.usedAt = performance.now()
    let hasEnded = false
    return () => {
      if (hasEnded) return
      hasEnded = true
      running -= 1
      entry.running -= 1
      const left = (held.get(entry.client) ?? 0) - 1
      if (left > 0) held.set(entry.client, left)
      else held.delete(entry.client)
      admitWaiting()
    }
  }

  return {
    join: (user) => {
      const entry: RunningProgram = { ...user, running: 0, usedAt: performance.now() }
      entries.add(entry)
      return {
        admit: async (signal) => {
          if (entry.running > 0 || canStart(entry.client)) return begin(entry)
          const { promise, resolve, reject } = Promise.withResolvers<() => void>()
          const start = (): void => {
            signal.removeEventListener('abort', leave)
            resolve(begin(entry))
          }
          const entrant = { client: entry.client, start }
          const leave = (): void => {
            waiting.splice(waiting.indexOf(entrant), 1)
            reject(signal.reason)
          }
          waiting.push(entrant)
          signal.addEventListener('abort', leave, { once: true })
          admitWaiting()
          return await promise
        },
        touch: () => {
          entry.usedAt = performance.now()
        },
        leave: () => void entries.delete(entry),
      }
    },
    close: () => {
      clearInterval(sweeping)
      clearInterval(checking)
    },
  }
}
