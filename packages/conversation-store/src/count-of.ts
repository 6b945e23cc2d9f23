/** Any number as a count that every kind of rows takes; `Infinity` is all of them, and `NaN` none. */
export function countOf(value: number): number {
  return Math.trunc(Math.min(Math.max(value || 0, 0), Number.MAX_SAFE_INTEGER - 1))
}
