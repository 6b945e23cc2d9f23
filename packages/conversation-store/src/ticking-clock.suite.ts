/** A clock that goes on by one second at every look. */
export function tickingClock(): () => Date {
  let seconds = 0
  return () => new Date(Date.UTC(2026, 10, 21, 0, 0, seconds++ % 60))
}
