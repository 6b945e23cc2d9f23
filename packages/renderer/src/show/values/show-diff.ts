import type { DiffHunk, DiffValue } from '@toolblocks/protocol'
import { showPath } from '../show-address.ts'
import type { ValueContext } from '../show-context.ts'
import { showCode, showFacts } from '../show-facts.ts'
import type { ShownChange, ShownPart } from '../shown-part.ts'
import { hunksOfDiff } from './hunks-of-diff.ts'

type Diff = DiffValue['data']

/** A change of a file: its path, how many lines went and came, and the lines. */
export function showDiff(
  { data: diff }: DiffValue,
  { root, cut }: ValueContext,
): readonly ShownPart[] {
  const hunks = hunksOfDiff(diff)
  const lines = hunks.flatMap((hunk) => hunk.lines)
  const isKnown = diff.isNew || diff.original !== undefined || lines.length > 0
  const change = isKnown ? countChanges(diff, lines) : 'from what is not known'
  const header = showFacts(showPath(diff.path, root), [diff.isNew ? 'new' : 'changed', change])
  if (!isKnown) return [header, showCode(diff.modified, cut)]
  return lines.length === 0 ? [header] : [header, showHunks(hunks, cut)]
}

function countChanges({ original = '', modified }: Diff, lines: readonly string[]): string {
  const added = lines.filter((line) => line.startsWith('+')).length
  const removed = lines.filter((line) => line.startsWith('-')).length
  if (added + removed > 0) return `+${added} -${removed}`
  return original === modified ? 'no changes' : 'only the line feed at its end'
}

function showHunks(hunks: readonly DiffHunk[], cut: ValueContext['cut']): ShownPart {
  const text = hunks.flatMap((hunk) => [headOf(hunk), ...hunk.lines.map(toLine)]).join('\n')
  const { first, left, last } = cut(text)
  return { kind: 'diff', first: toChanges(first), left, last: last === '' ? [] : toChanges(last) }
}

function headOf({ oldStart, oldLines, newStart, newLines }: DiffHunk): string {
  return `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`
}

/** A line of a hunk is one line, and opens with what became of it. */
function toLine(line: string): string {
  const flat = line.replaceAll('\n', '⏎')
  return /^[ +\-\\]/.test(flat) ? flat : ` ${flat}`
}

function toChanges(lines: string): ShownChange[] {
  return lines.split('\n').map(toChange)
}

function toChange(line: string): ShownChange {
  switch (line.charAt(0)) {
    case '+':
      return { change: 'added', text: line.slice(1) }
    case '-':
      return { change: 'removed', text: line.slice(1) }
    case ' ':
      return { change: 'kept', text: line.slice(1) }
    case '@':
      return { change: 'hunk', text: line }
    default:
      return { change: 'note', text: line }
  }
}
