import type { CallParking } from './run-turn.ts'

/** The calls of one turn that wait in the store. */
export interface Parking extends CallParking {
  /** Ends a call that waits. */
  park(call: string): void
}

/** Creates the parking of a turn. */
export function createParking(): Parking {
  const ends = new Map<string, AbortController>()
  const parked = new Set<string>()
  return {
    begin: (call) => {
      const end = new AbortController()
      ends.set(call, end)
      return end.signal
    },
    isParked: (call) => parked.has(call),
    park: (call) => {
      parked.add(call)
      ends.get(call)?.abort()
    },
  }
}
