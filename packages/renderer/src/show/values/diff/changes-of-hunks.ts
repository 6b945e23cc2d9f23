import type { DiffHunk } from '@toolblocks/protocol'
import type { ShownChange } from '../../shown-part.ts'

/** The lines of hunks, each with its numbers; before those of a hunk, where they stand. */
export function changesOfHunks(hunks: readonly DiffHunk[]): readonly ShownChange[] {
  const changes: ShownChange[] = []
  for (const hunk of hunks) {
    changes.push({ change: 'hunk', text: headOf(hunk) })
    let before = hunk.oldStart
    let after = hunk.newStart
    for (const line of hunk.lines) {
      // A line of a hunk is one line, whatever it holds.
      const text = line.slice(1).replaceAll('\n', '⏎')
      switch (line.charAt(0)) {
        case '+':
          changes.push({ change: 'added', text, after: after++ })
          break
        case '-':
          changes.push({ change: 'removed', text, before: before++ })
          break
        case '\\':
          changes.push({ change: 'note', text: line.replaceAll('\n', '⏎') })
          break
        case ' ':
          changes.push({ change: 'kept', text, before: before++, after: after++ })
          break
        default: {
          const whole = line.replaceAll('\n', '⏎')
          changes.push({ change: 'kept', text: whole, before: before++, after: after++ })
        }
      }
    }
  }
  return changes
}

function headOf({ oldStart, oldLines, newStart, newLines }: DiffHunk): string {
  return `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`
}
