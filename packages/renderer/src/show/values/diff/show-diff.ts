import type { DiffHunk, DiffValue } from '@toolblocks/protocol'
import { showPath } from '../../blocks/show-address.ts'
import { showCode } from '../../blocks/show-code.ts'
import type { ValueContext } from '../../context/show-context.ts'
import { showFacts } from '../../blocks/show-facts.ts'
import type { ShownPart } from '../../shown-part.ts'
import { changesOfHunks } from './changes-of-hunks.ts'
import { hunksOfDiff } from './hunks-of-diff.ts'
import { markWords } from './mark-words.ts'

type Diff = DiffValue['data']

/** A change of a file: its path, how many lines went and came, and the lines. */
export function showDiff({ data: diff }: DiffValue, context: ValueContext): readonly ShownPart[] {
  const hunks = hunksOfDiff(diff)
  const isKnown = diff.isNew || diff.original !== undefined || hunks.length > 0
  const change = isKnown ? describeChange(diff, hunks) : 'from what is not known'
  const name = showPath(diff.path, context.root)
  const header = showFacts(name, [diff.isNew ? 'new' : 'changed', change])
  if (!isKnown) return [header, showCode(diff.modified, context, { path: diff.path })]
  return hunks.length === 0 ? [header] : [header, showHunks(hunks, context)]
}

/** How many lines of a diff came and went, for example `+15 −3`. */
export function describeChange(
  { original = '', modified }: Diff,
  hunks: readonly DiffHunk[],
): string {
  const { added, removed } = countChanges(hunks)
  if (added + removed > 0) return `+${added} −${removed}`
  return original === modified ? 'no changes' : 'only the line feed at its end'
}

/** Hunks line by line, with the numbers of the lines and the words that differ. */
export function showHunks(
  hunks: readonly DiffHunk[],
  { cut, cutRows }: Pick<ValueContext, 'cut' | 'cutRows'>,
): ShownPart {
  const { first, left, last } = cutRows(changesOfHunks(hunks))
  return { kind: 'diff', first: markWords(first, cut), left, last: markWords(last, cut) }
}

function countChanges(hunks: readonly DiffHunk[]): { added: number; removed: number } {
  let [added, removed] = [0, 0]
  for (const { lines } of hunks) {
    for (const line of lines) {
      if (line.startsWith('+')) added += 1
      if (line.startsWith('-')) removed += 1
    }
  }
  return { added, removed }
}
