import { closestMatch } from 'leven'

/** The known name that was probably meant; undefined where none is near. */
export function suggest(typed: string, known: readonly string[]): string | undefined {
  const names = known.filter((name) => name !== typed)
  return closestMatch(typed, names, { maxDistance: Math.max(1, Math.floor(typed.length / 3)) })
}

/** `; did you mean "x"?`, or nothing. */
export function didYouMean(typed: string, known: readonly string[]): string {
  const name = suggest(typed, known)
  return name === undefined ? '' : `; did you mean ${JSON.stringify(name)}?`
}
