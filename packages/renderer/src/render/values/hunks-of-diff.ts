import type { DiffHunk, DiffValue } from '@toolblocks/protocol'

const CONTEXT = 3

/** The changed lines of a diff: its own hunks, or one hunk around all that differs. */
export function hunksOfDiff({
  original,
  modified,
  isNew,
  hunks,
}: DiffValue['data']): readonly DiffHunk[] {
  if (hunks) return hunks
  if (original === undefined && !isNew) return []
  return changeBetween(linesOf(original ?? ''), linesOf(modified))
}

function changeBetween(before: readonly string[], after: readonly string[]): DiffHunk[] {
  const start = before.findIndex((line, index) => line !== after[index])
  const same = start === -1 ? before.length : start
  if (same === before.length && same === after.length) return []
  const end = countSameAtEnd(before.slice(same), after.slice(same))
  const from = Math.max(0, same - CONTEXT)
  const tail = before.slice(before.length - end).slice(0, CONTEXT)
  const lines = [
    ...before.slice(from, same).map((line) => ` ${line}`),
    ...before.slice(same, before.length - end).map((line) => `-${line}`),
    ...after.slice(same, after.length - end).map((line) => `+${line}`),
    ...tail.map((line) => ` ${line}`),
  ]
  const around = same - from + tail.length
  const oldLines = around + before.length - end - same
  const newLines = around + after.length - end - same
  return [
    {
      oldStart: oldLines === 0 ? 0 : from + 1,
      oldLines,
      newStart: newLines === 0 ? 0 : from + 1,
      newLines,
      lines,
    },
  ]
}

function countSameAtEnd(before: readonly string[], after: readonly string[]): number {
  let count = 0
  while (
    count < Math.min(before.length, after.length) &&
    before.at(-1 - count) === after.at(-1 - count)
  ) {
    count += 1
  }
  return count
}

function linesOf(text: string): string[] {
  if (text === '') return []
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')
}
