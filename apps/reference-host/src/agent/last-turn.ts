import { readHistory, type StoredEvent } from '@toolblocks/conversation-store'

/** The last turn that counts. */
export interface LastTurn {
  turn: number
  /** The `seq` of the event before it; 0 where there is none. */
  before: number
}

/** Finds the last turn that was not taken back. */
export function findLastTurn(events: readonly StoredEvent[]): LastTurn | undefined {
  const { entries } = readHistory(events)
  const begin = entries.findLast(({ event }) => event.type === 'turn_start')
  return begin && { turn: begin.turn, before: begin.seq - 1 }
}
