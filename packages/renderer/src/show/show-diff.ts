// The only module that is needed. The complete library takes twice as long to load.

import type { DiffHunk, DiffValue } from '@toolblocks/protocol'
import { diffWordsWithSpace } from 'diff/lib/diff/word.js'
import { structuredPatch } from 'diff/lib/patch/create.js'
import type { TruncatedText } from './truncate-text.ts'
import type { ValueRendererContext } from './show-context.ts'
import { showFacts, showPath } from './show-facts.ts'
import { showCode } from './show-text.ts'
import type { ShownChange, ShownPart } from './shown-part.ts'

/** Shows a change of a file: its path, the numbers of removed and added lines, and the lines. */
export function showDiff(
  { data: diff }: DiffValue,
  context: ValueRendererContext,
): readonly ShownPart[] {
  const hunks = getHunks(diff)
  const isKnown = diff.isNew || diff.original !== undefined || hunks.length > 0
  const change = isKnown ? describeChange(diff, hunks) : 'original unknown'
  const name = showPath(diff.path, context.root)
  const header = showFacts(name, [diff.isNew ? 'new' : 'changed', change])
  if (!isKnown) return [header, showCode(diff.modified, context, { path: diff.path })]
  return hunks.length === 0 ? [header] : [header, showHunks(hunks, context)]
}

/** Returns the numbers of added and removed lines, for example `+15 −3`. */
export function describeChange(
  { original = '', modified }: DiffValue['data'],
  hunks: readonly DiffHunk[],
): string {
  const { added, removed } = countChanges(hunks)
  if (added + removed > 0) return `+${added} −${removed}`
  return original === modified ? 'no changes' : 'only the line feed at its end'
}

/** Shows hunks line by line, with line numbers and changed words. */
export function showHunks(
  hunks: readonly DiffHunk[],
  { cut, truncateRows }: Pick<ValueRendererContext, 'cut' | 'truncateRows'>,
): ShownPart {
  const { first, left, last } = truncateRows(listChanges(hunks))
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

/** Longer lines are compared as a whole, because the work grows with the square of the difference. */
const MAX_LENGTH = 500
const MAX_CHANGED_WORDS = 100

/** For two lines that are less alike, marks would be noise. */
const MIN_ALIKE = 0.3

/** Pairs removed lines with added lines, and marks the changed words. Truncates long lines. */
export function markWords(
  changes: readonly ShownChange[],
  cut: (text: string) => TruncatedText,
): readonly ShownChange[] {
  const marked = [...changes]
  for (const [removed, added] of getPairs(changes)) {
    const [before, after] = [changes[removed], changes[added]]
    const marks = before && after && marksBetween(before.text, after.text)
    if (!marks) continue
    marked[removed] = withMarks(before, marks.before)
    marked[added] = withMarks(after, marks.after)
  }
  return marked.flatMap((change) => cutChange(change, cut))
}

/** Returns the removed lines of a run, each with the added line at the same position of the following run. */
function getPairs(changes: readonly ShownChange[]): (readonly [number, number])[] {
  const pairs: (readonly [number, number])[] = []
  let start = 0
  while (start < changes.length) {
    const removed = endOfRun(changes, start, 'removed')
    const added = endOfRun(changes, removed, 'added')
    const count = Math.min(removed - start, added - removed)
    for (let offset = 0; offset < count; offset += 1) pairs.push([start + offset, removed + offset])
    start = Math.max(added, start + 1)
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

type ChangeMarks = NonNullable<ShownChange['marks']>

function marksBetween(
  removed: string,
  added: string,
): { before: ChangeMarks; after: ChangeMarks } | undefined {
  if (removed.length > MAX_LENGTH || added.length > MAX_LENGTH) return undefined
  const pieces = diffWordsWithSpace(removed, added, { maxEditLength: MAX_CHANGED_WORDS })
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
  return same < longest * MIN_ALIKE ? undefined : { before, after }
}

function withMarks(change: ShownChange, marks: ChangeMarks): ShownChange {
  return { ...change, ...(marks.length > 0 && { marks }) }
}

/** The omitted part of a long line is counted on its own line. */
function cutChange(change: ShownChange, cut: (text: string) => TruncatedText): ShownChange[] {
  const [text = '', note] = cut(change.text).first.split('\n')
  if (note === undefined) return [change]
  return [
    { ...change, text },
    { change: 'note', text: note },
  ]
}

const CONTEXT = 3

/** Maximum number of changed lines; the work grows with its square. */
const MAX_CHANGES = 1000

/** Returns the changed lines of a diff: its own hunks, or those between the texts; for too many changes, one hunk around all of them. */
export function getHunks({
  original,
  modified,
  isNew,
  hunks,
}: DiffValue['data']): readonly DiffHunk[] {
  if (hunks) return hunks
  if (original === undefined && !isNew) return []
  const [before, after] = [getLines(original ?? ''), getLines(modified)]
  const options = { context: CONTEXT, maxEditLength: MAX_CHANGES }
  const patch = structuredPatch('', '', getText(before), getText(after), '', '', options)
  return patch ? patch.hunks.map(countFromZero) : [createWholeHunk(before, after)]
}

/** The library counts from 1 even if there are no lines. */
function countFromZero({ oldStart, oldLines, newStart, newLines, lines }: DiffHunk): DiffHunk {
  return {
    oldStart: oldLines === 0 ? oldStart - 1 : oldStart,
    oldLines,
    newStart: newLines === 0 ? newStart - 1 : newStart,
    newLines,
    lines,
  }
}

function createWholeHunk(before: readonly string[], after: readonly string[]): DiffHunk {
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

function getLines(text: string): string[] {
  if (text === '') return []
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')
}

/** Every line with its line feed. A missing last one is mentioned elsewhere. */
function getText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('')
}

/** Returns the lines of hunks with their numbers, and before each hunk its position. */
export function listChanges(hunks: readonly DiffHunk[]): readonly ShownChange[] {
  const changes: ShownChange[] = []
  for (const hunk of hunks) {
    changes.push({ change: 'hunk', text: getHead(hunk) })
    let before = hunk.oldStart
    let after = hunk.newStart
    for (const line of hunk.lines) {
      // A line of a hunk is one line, whatever it contains.
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

function getHead({ oldStart, oldLines, newStart, newLines }: DiffHunk): string {
  return `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`
}

const HEAD = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/

/** Returns the hunks of a patch as `git diff` and `diff -u` write it, without the text around them. Empty if it is not a patch. */
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
