/** A value from outside where a text is expected; an object or a list as JSON, because its own `toString` may be anything. */
export function textOfValue(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  try {
    return JSON.stringify(value)
  } catch {
    // Nested deeper than can be written.
    return Object.prototype.toString.call(value)
  }
}
