/** A set of code points: first and last of each run, in order, `[97, 122]` for a to z. */
export type CodePoints = readonly number[]

export const LAST_CODE_POINT = 0x10ffff

export const ALL: CodePoints = [0, LAST_CODE_POINT]

/** What ECMAScript means by `\d`. */
export const DIGITS: CodePoints = [0x30, 0x39]

/** What ECMAScript means by `\w` where case counts. */
export const WORD: CodePoints = [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a]

/** What ECMAScript means by `\s`: white space and line ends, U+FEFF too. */
export const SPACE: CodePoints = [
  0x09, 0x0d, 0x20, 0x20, 0xa0, 0xa0, 0x1680, 0x1680, 0x2000, 0x200a, 0x2028, 0x2029, 0x202f,
  0x202f, 0x205f, 0x205f, 0x3000, 0x3000, 0xfeff, 0xfeff,
]

/** What ends a line for `.`. */
export const LINE_ENDS: CodePoints = [0x0a, 0x0a, 0x0d, 0x0d, 0x2028, 0x2029]

/** All code points of some sets, each once. */
export function unite(sets: readonly CodePoints[]): CodePoints {
  const runs = sets.flatMap(runsOf).toSorted(([a], [b]) => a - b)
  const united: number[] = []
  for (const [first, last] of runs) {
    const end = united.at(-1)
    if (end !== undefined && first <= end + 1) united[united.length - 1] = Math.max(end, last)
    else united.push(first, last)
  }
  return united
}

/** All code points that are not in a set. */
export function invert(set: CodePoints): CodePoints {
  const inverted: number[] = []
  let next = 0
  for (const [first, last] of runsOf(set)) {
    if (first > next) inverted.push(next, first - 1)
    next = last + 1
  }
  if (next <= LAST_CODE_POINT) inverted.push(next, LAST_CODE_POINT)
  return inverted
}

/** The runs of a set, first and last of each. */
export function runsOf(set: CodePoints): (readonly [number, number])[] {
  const runs: (readonly [number, number])[] = []
  for (let index = 0; index + 1 < set.length; index += 2)
    runs.push([set[index] ?? 0, set[index + 1] ?? 0])
  return runs
}
