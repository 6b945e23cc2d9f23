import type { DiffHunk } from '@toolblocks/protocol'

/** Lines around a change that are shown. */
const CONTEXT = 3

const NO_NEWLINE = String.raw`\ No newline at end of file`

/**
 * Finds the lines from the first that changed to the last that changed, with three lines around them, as one hunk. It is right for every change; a
 * change in two places far apart has the lines between them too.
 */
export function findHunk(original: string, modified: string): DiffHunk {
  const before = toLines(original)
  const after = toLines(modified)
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start += 1
  let same = 0
  while (same < shorter - start && before.at(-1 - same) === after.at(-1 - same)) same += 1
  const lead = Math.min(start, CONTEXT)
  const trail = Math.min(same, CONTEXT)
  const from = start - lead
  const oldLines = before.length - same + trail - from
  const newLines = after.length - same + trail - from
  return {
    oldStart: oldLines === 0 ? 0 : from + 1,
    oldLines,
    newStart: newLines === 0 ? 0 : from + 1,
    newLines,
    lines: [
      ...markAll(' ', before.slice(from, start)),
      ...markAll('-', before.slice(start, before.length - same)),
      ...markAll('+', after.slice(start, after.length - same)),
      ...markAll(' ', before.slice(before.length - same, before.length - same + trail)),
    ],
  }
}

/** Lines with their ends, so that a last line without one differs from one that has it. */
function toLines(text: string): readonly string[] {
  return text === '' ? [] : text.split(/(?<=\n)/)
}

function markAll(sign: string, lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) =>
    line.endsWith('\n') ? [sign + line.slice(0, -1)] : [sign + line, NO_NEWLINE],
  )
}

/** Formats hunks as a unified diff does, without the two lines that name the files. */
export function formatHunks(hunks: readonly DiffHunk[]): string {
  return hunks
    .map(({ oldStart, oldLines, newStart, newLines, lines }) =>
      [`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`, ...lines].join('\n'),
    )
    .join('\n')
}
