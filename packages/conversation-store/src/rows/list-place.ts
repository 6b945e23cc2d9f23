import type { EventBytes } from './event-row.ts'

/**
 * Where an append places its conversation in the list. `latest`: above all others, and not below `from`. `dated`: in the half of a second that begins
 * with `from`, because the events have their own times.
 */
export interface ListPlace {
  kind: 'latest' | 'dated'
  from: number
}

/** Number of places of one half of a second. Numbers of conversations are taken modulo it. */
export const PLACES = 2 ** 19

/**
 * Returns where an append at a time places its conversation. Events of this time make it the latest, whatever the clock of earlier appends was. Events
 * with times of their own, such as those of an import, place it by the time of the last one. Places of times leave room for the conversations of the
 * same second: dated ones first, then those that were written in it.
 */
export function getListPlace(events: readonly EventBytes[], now: string): ListPlace {
  const own = events.at(-1)?.at ?? now
  const seconds = Math.floor(Date.parse(now) / 1000)
  if (own === now) return { kind: 'latest', from: (2 * seconds + 1) * PLACES }
  const dated = Math.floor(Date.parse(own) / 1000)
  return { kind: 'dated', from: 2 * Math.max(0, Math.min(dated, seconds)) * PLACES }
}
