import { closestMatch } from 'leven'

/** Returns `; did you mean "x"?` with the known name that was probably meant, or an empty text if none is similar. */
export function didYouMean(typed: string, known: readonly string[]): string {
  const names = known.filter((name) => name !== typed)
  // Two letters that changed places are two edits apart.
  const maxDistance = Math.max(typed.length > 3 ? 2 : 1, Math.floor(typed.length / 3))
  const name =
    closestMatch(typed, names, { maxDistance }) ?? names.find((each) => isSwapped(typed, each))
  return name === undefined ? '' : `; did you mean ${JSON.stringify(name)}?`
}

/** Whether two texts differ only in two adjacent letters that changed places. */
function isSwapped(one: string, other: string): boolean {
  let index = 0
  while (index < one.length && one[index] === other[index]) index += 1
  const swapped = one.charAt(index + 1) + one.charAt(index)
  return index + 1 < one.length && one.slice(0, index) + swapped + one.slice(index + 2) === other
}

/** Like `didYouMean`, followed by the complete list: `; did you mean "x"? It takes x, y` or `; it takes x, y`. */
export function formatSuggestions(typed: string, known: readonly string[], label: string): string {
  const list = `${label} ${[...new Set(known)].join(', ') || 'none'}`
  const hint = didYouMean(typed, known)
  return hint === '' ? `; ${list}` : `${hint} ${list.charAt(0).toUpperCase()}${list.slice(1)}`
}
