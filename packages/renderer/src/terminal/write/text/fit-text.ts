import type { TerminalText } from '@toolblocks/protocol'
import { joinTerminal } from '../../../compose/compose-terminal.ts'
import { graphemesOf, widthOf } from '../../../compose/width-of.ts'
import { toTerminalText } from '../../../terminal-text.ts'

/** The widest of lines. */
export function widestOf(lines: readonly TerminalText[]): number {
  return lines.reduce((widest, line) => Math.max(widest, widthOf(line)), 0)
}

/** Fills a line up to a width; a wider one stays. */
export function padLine(
  line: TerminalText,
  width: number,
  align: 'left' | 'center' | 'right' = 'left',
): TerminalText {
  const space = Math.max(0, width - widthOf(line))
  const before = align === 'left' ? 0 : align === 'right' ? space : Math.floor(space / 2)
  return joinTerminal([spaces(before), line, spaces(space - before)])
}

/** Cuts a line without colours to a width, with `…` at its end. */
export function cutLine(line: TerminalText, width: number): TerminalText {
  if (widthOf(line) <= width) return line
  let shown = ''
  let taken = 1
  for (const character of graphemesOf(line)) {
    taken += widthOf(character)
    if (taken > width) break
    shown += character
  }
  return toTerminalText(`${shown}…`)
}

function spaces(count: number): TerminalText {
  return toTerminalText(' '.repeat(count))
}
