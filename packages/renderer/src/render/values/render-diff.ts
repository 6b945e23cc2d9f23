import type { DiffHunk, DiffValue, TerminalText } from '@toolblocks/protocol'
import { joinTerminal } from '../../compose/join-terminal.ts'
import { paint, type TerminalStyle } from '../../compose/terminal-style.ts'
import { toTerminalText } from '../../terminal-text.ts'
import { type RenderContext, withoutColors } from '../render-context.ts'
import { renderFacts } from '../text/render-facts.ts'
import { renderQuoted } from '../text/render-text.ts'
import { showPath } from '../text/show-address.ts'
import { hunksOfDiff } from './hunks-of-diff.ts'

type Diff = DiffValue['data']

/** A change of a file: its path, how many lines went and came, and the lines. */
export function renderDiff(diff: Diff, context: RenderContext): TerminalText {
  const hunks = hunksOfDiff(diff)
  const lines = hunks.flatMap((hunk) => hunk.lines)
  const isKnown = diff.isNew || diff.original !== undefined || lines.length > 0
  const change = isKnown ? countChanges(diff, lines) : 'from what is not known'
  const facts = [diff.isNew ? 'new' : 'changed', change]
  const header = renderFacts(showPath(diff.path, context), facts, context)
  if (!isKnown) return joinTerminal([header, renderQuoted(diff.modified, context)], '\n')
  return joinTerminal([header, ...(lines.length === 0 ? [] : [renderHunks(hunks, context)])], '\n')
}

function countChanges({ original = '', modified }: Diff, lines: readonly string[]): string {
  const added = lines.filter((line) => line.startsWith('+')).length
  const removed = lines.filter((line) => line.startsWith('-')).length
  if (added + removed > 0) return `+${added} -${removed}`
  return original === modified ? 'no changes' : 'only the line feed at its end'
}

function renderHunks(hunks: readonly DiffHunk[], context: RenderContext): TerminalText {
  const text = hunks.flatMap((hunk) => [headOf(hunk), ...hunk.lines.map(toLine)]).join('\n')
  const plain: RenderContext = { ...context, sanitize: withoutColors }
  return renderQuoted(text, plain, { paint: (shown) => paintLines(shown, context), hang: ' ' })
}

function paintLines(text: TerminalText, { colors }: RenderContext): TerminalText {
  const lines = text.split('\n').map((line) => paint(toTerminalText(line), styleOf(line), colors))
  return joinTerminal(lines, '\n')
}

function headOf({ oldStart, oldLines, newStart, newLines }: DiffHunk): string {
  return `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`
}

/** A line of a hunk is one line, and opens with what became of it. */
function toLine(line: string): string {
  const flat = line.replaceAll('\n', '⏎')
  return /^[ +\-\\]/.test(flat) ? flat : ` ${flat}`
}

function styleOf(line: string): keyof TerminalStyle {
  if (line.startsWith('+')) return 'green'
  if (line.startsWith('-')) return 'red'
  return line.startsWith('@@') ? 'cyan' : 'plain'
}
