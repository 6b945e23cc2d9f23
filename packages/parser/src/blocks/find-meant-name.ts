/** Number of edits by which the spelling of a name differs, at most. */
const MAX_EDITS = 2
/** A shorter name is one edit away from other words: `text` and `test`. */
const MIN_LENGTH_OF_TWO_EDITS = 8
const MIN_LENGTH_OF_ONE_EDIT = 5

/** A longer name is no known one. */
const MAX_LENGTH = 40

/**
 * Finds the known name that another one almost is: in other capitals, with other signs between its words, or with one or two wrong letters.
 * `moreEdits`: how many more letters may be wrong, because other facts speak for the name too; 0 by default.
 */
export function findMeantName<Name extends string>(
  name: string,
  known: readonly Name[],
  moreEdits = 0,
): Name | undefined {
  if (name.length > MAX_LENGTH) return undefined
  const letters = getLetters(name)
  return known
    .map((each) => ({ each, edits: countEdits(letters, getLetters(each)) }))
    .filter(({ each, edits }) => edits <= Math.min(getMostEdits(each) + moreEdits, MAX_EDITS))
    .toSorted((one, other) => one.edits - other.edits)[0]?.each
}

function getMostEdits({ length }: string): number {
  if (length >= MIN_LENGTH_OF_TWO_EDITS) return MAX_EDITS
  return length >= MIN_LENGTH_OF_ONE_EDIT ? 1 : 0
}

function getLetters(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9.]/g, '')
}

/**
 * Counts the edits between two words: a letter that is added, missing or another one, or two letters that changed places. Of words whose lengths
 * differ by more than `MAX_EDITS`, the difference.
 */
function countEdits(word: string, other: string): number {
  const difference = Math.abs(word.length - other.length)
  if (difference > MAX_EDITS) return difference
  let beforeLast: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let row = 1; row <= word.length; row += 1) {
    const counts = [row]
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = word[row - 1] === other[column - 1]
      const isSwapped = word[row - 1] === other[column - 2] && word[row - 2] === other[column - 1]
      counts.push(
        Math.min(
          (last[column] ?? 0) + 1,
          (counts[column - 1] ?? 0) + 1,
          (last[column - 1] ?? 0) + (isSame ? 0 : 1),
          isSwapped && row > 1 && column > 1 ? (beforeLast[column - 2] ?? 0) + 1 : Infinity,
        ),
      )
    }
    beforeLast = last
    last = counts
  }
  return last[other.length] ?? 0
}
