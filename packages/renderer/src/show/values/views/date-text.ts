const DAY = /^\d{4}-\d\d-\d\d$/
/** An ISO 8601 date and time; what other texts mean depends on who reads them. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/

/** A date to the minute, in UTC; undefined for what is none. Numbers are milliseconds since 1970. */
export function dateText(value: unknown): string | undefined {
  if (typeof value === 'number') return minuteOf(new Date(value))
  if (typeof value !== 'string') return undefined
  if (DAY.test(value)) return value
  return TIME.test(value) ? minuteOf(new Date(value)) : undefined
}

function minuteOf(date: Date): string | undefined {
  if (Number.isNaN(date.getTime())) return undefined
  return `${date
    .toISOString()
    .replace('T', ' ')
    .replace(/:\d\d\.\d+Z$/, '')} UTC`
}
