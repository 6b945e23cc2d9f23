import type { DiffHunk, DiffValue } from '@toolblocks/protocol'
// The one module that is needed: all of the library takes twice as long to load.
import { structuredPatch } from 'diff/lib/patch/create.js'

const CONTEXT = 3
/** Lines that may go or come; the work grows with the square of it. */
const MOST_CHANGES = 1000

/** The changed lines of a diff: its own hunks, or those between the texts; where too much changed, one around all that differs. */
export function hunksOfDiff({
  original,
  modified,
  isNew,
  hunks,
}: DiffValue['data']): readonly DiffHunk[] {
  if (hunks) return hunks
  if (original === undefined && !isNew) return []
  const [before, after] = [linesOf(original ?? ''), linesOf(modified)]
  const options = { context: CONTEXT, maxEditLength: MOST_CHANGES }
  const patch = structuredPatch('', '', textOf(before), textOf(after), '', '', options)
  return patch ? patch.hunks.map(startingAtLines) : [wholeChange(before, after)]
}

/** The library counts from 1 also where there are no lines. */
function startingAtLines({ oldStart, oldLines, newStart, newLines, lines }: DiffHunk): DiffHunk {
  return {
    oldStart: oldLines === 0 ? oldStart - 1 : oldStart,
    oldLines,
    newStart: newLines === 0 ? newStart - 1 : newStart,
    newLines,
    lines,
  }
}

function wholeChange(before: readonly string[], after: readonly string[]): DiffHunk {
  const same = countSame(before, after)
  const end = countSame(before.slice(same).toReversed(), after.slice(same).toReversed())
  const from = Math.max(0, same - CONTEXT)
  const tail = before.slice(before.length - end).slice(0, CONTEXT)
  const removed = before.slice(same, before.length - end)
  const added = after.slice(same, after.length - end)
  const around = same - from + tail.length
  const oldLines = around + removed.length
  const newLines = around + added.length
  return {
    oldStart: oldLines === 0 ? 0 : from + 1,
    oldLines,
    newStart: newLines === 0 ? 0 : from + 1,
    newLines,
    lines: [
      ...before.slice(from, same).map((line) => ` ${line}`),
      ...removed.map((line) => `-${line}`),
      ...added.map((line) => `+${line}`),
      ...tail.map((line) => ` ${line}`),
    ],
  }
}

function countSame(before: readonly string[], after: readonly string[]): number {
  const differs = before.findIndex((line, index) => line !== after[index])
  return differs === -1 ? before.length : differs
}

function linesOf(text: string): string[] {
  if (text === '') return []
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')
}

/** Every line with its line feed: a missing last one is said elsewhere. */
function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('')
}
