import { closestMatch } from 'leven'

/** `; did you mean "x"?` for the known name that was probably meant; nothing where none is near. */
export function didYouMean(typed: string, known: readonly string[]): string {
  const names = known.filter((name) => name !== typed)
  // Two letters that changed places are two steps apart.
  const maxDistance = Math.max(typed.length > 3 ? 2 : 1, Math.floor(typed.length / 3))
  const name = closestMatch(typed, names, { maxDistance })
  return name === undefined ? '' : `; did you mean ${JSON.stringify(name)}?`
}

/** As `didYouMean`, and behind it the whole list: `; did you mean "x"? It takes x, y` or `; it takes x, y`. */
export function didYouMeanOneOf(typed: string, known: readonly string[], label: string): string {
  const list = `${label} ${[...new Set(known)].join(', ') || 'none'}`
  const hint = didYouMean(typed, known)
  return hint === '' ? `; ${list}` : `${hint} ${list.charAt(0).toUpperCase()}${list.slice(1)}`
}
