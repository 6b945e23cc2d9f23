// The one module that is needed.
import { diffWordsWithSpace } from 'diff/lib/diff/word.js'
import type { CutText } from '../../cut-text.ts'
import type { ShownChange } from '../../shown-part.ts'

/** Longer lines are compared as a whole: the work grows with the square of what differs. */
const LONGEST = 500
const MOST_CHANGES = 100
/** Of two lines less alike than this, marks would be noise. */
const LEAST_ALIKE = 0.3

/** Pairs removed lines with those added in their place, and marks the words that differ; cuts long lines. */
export function markWords(
  changes: readonly ShownChange[],
  cut: (text: string) => CutText,
): readonly ShownChange[] {
  const marked = [...changes]
  for (const [removed, added] of pairsOf(changes)) {
    const [before, after] = [changes[removed], changes[added]]
    const marks = before && after && marksBetween(before.text, after.text)
    if (!marks) continue
    marked[removed] = withMarks(before, marks.before)
    marked[added] = withMarks(after, marks.after)
  }
  return marked.flatMap((change) => cutChange(change, cut))
}

/** Where the removed lines of a run stand, each with the added line at the same place of the run after it. */
function pairsOf(changes: readonly ShownChange[]): (readonly [number, number])[] {
  const pairs: (readonly [number, number])[] = []
  let at = 0
  while (at < changes.length) {
    const removed = endOfRun(changes, at, 'removed')
    const added = endOfRun(changes, removed, 'added')
    const count = Math.min(removed - at, added - removed)
    for (let place = 0; place < count; place += 1) pairs.push([at + place, removed + place])
    at = Math.max(added, at + 1)
  }
  return pairs
}

function endOfRun(
  changes: readonly ShownChange[],
  from: number,
  change: ShownChange['change'],
): number {
  let end = from
  while (changes[end]?.change === change) end += 1
  return end
}

type Marks = NonNullable<ShownChange['marks']>

function marksBetween(removed: string, added: string): { before: Marks; after: Marks } | undefined {
  if (removed.length > LONGEST || added.length > LONGEST) return undefined
  const pieces = diffWordsWithSpace(removed, added, { maxEditLength: MOST_CHANGES })
  if (!pieces) return undefined
  const before: [number, number][] = []
  const after: [number, number][] = []
  let [old, now, same] = [0, 0, 0]
  for (const { value, added: isNew, removed: isOld } of pieces) {
    const { length } = value
    if (isOld) before.push([old, (old += length)])
    else if (isNew) after.push([now, (now += length)])
    else {
      old += length
      now += length
      same += value.trim().length
    }
  }
  const longest = Math.max(removed.trim().length, added.trim().length)
  return same < longest * LEAST_ALIKE ? undefined : { before, after }
}

function withMarks(change: ShownChange, marks: Marks): ShownChange {
  return { ...change, ...(marks.length > 0 && { marks }) }
}

/** What is cut off a long line is counted on a line of its own. */
function cutChange(change: ShownChange, cut: (text: string) => CutText): ShownChange[] {
  const [text = '', note] = cut(change.text).first.split('\n')
  if (note === undefined) return [change]
  return [
    { ...change, text },
    { change: 'note', text: note },
  ]
}
