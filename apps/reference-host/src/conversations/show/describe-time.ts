/** A time in UTC, to the minute: `2026-11-22 09:53`. */
export function describeMinute(at: string): string {
  return at.slice(0, 16).replace('T', ' ')
}

/** From the first time to the last, in UTC: `2026-11-22 09:53–09:55 UTC`. */
export function describeSpan(first: string, last: string): string {
  const [from, to] = [describeMinute(first), describeMinute(last)]
  if (from === to) return `${from} UTC`
  const isSameDay = from.slice(0, 10) === to.slice(0, 10)
  return isSameDay ? `${from}–${to.slice(11)} UTC` : `${from} – ${to} UTC`
}
