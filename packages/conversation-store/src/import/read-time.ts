/** Numbers above it are milliseconds since 1970, below it seconds. */
const FIRST_MILLISECONDS = 1e11

/** Reads a time as systems write it: ISO 8601, also with a blank for the `T` and without an offset (UTC), or a number since 1970. */
export function readTime(value: unknown): string | undefined {
  const time =
    typeof value === 'number'
      ? new Date(Math.abs(value) > FIRST_MILLISECONDS ? value : value * 1000)
      : typeof value === 'string'
        ? new Date(withOffset(value))
        : undefined
  return time && !Number.isNaN(time.getTime()) ? time.toISOString() : undefined
}

function withOffset(text: string): string {
  const plain = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d+)?)$/.exec(text)
  return plain ? `${plain[1]}T${plain[2]}Z` : text
}
