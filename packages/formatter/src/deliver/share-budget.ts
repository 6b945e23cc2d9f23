/**
 * The most that each of some lengths may keep so that all of them together fit: the largest give first, and what is at most as
 * long as the answer keeps all of it. `Infinity` where everything fits.
 */
export function shareBudget(lengths: readonly number[], budget: number): number {
  let left = budget
  const ascending = lengths.toSorted((one, other) => one - other)
  for (const [index, length] of ascending.entries()) {
    const share = left / (ascending.length - index)
    if (length > share) return Math.max(0, Math.floor(share))
    left -= length
  }
  return Infinity
}
