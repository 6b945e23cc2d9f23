import type { DiffHunk } from '@toolblocks/protocol'

const HEAD = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/

/** The hunks of a patch as `git diff` and `diff -u` write it; what stands around them is left out. None: it is no patch. */
export function readPatch(text: string): readonly DiffHunk[] {
  const hunks: DiffHunk[] = []
  let [old, now] = [0, 0]
  for (const line of text.split('\n')) {
    const hunk = hunks.at(-1)
    if (hunk && (old > 0 || now > 0 || line.startsWith('\\'))) {
      if (!line.startsWith('+') && !line.startsWith('\\')) old -= 1
      if (!line.startsWith('-') && !line.startsWith('\\')) now -= 1
      hunk.lines.push(line)
      continue
    }
    const [, oldStart, oldLines = 1, newStart, newLines = 1] = HEAD.exec(line) ?? []
    if (oldStart === undefined) continue
    old = Number(oldLines)
    now = Number(newLines)
    hunks.push({
      oldStart: Number(oldStart),
      oldLines: old,
      newStart: Number(newStart),
      newLines: now,
      lines: [],
    })
  }
  return hunks
}
