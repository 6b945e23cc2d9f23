import type { TerminalText } from '@toolblocks/protocol'
import { indentTerminal, joinTerminal, wrapTerminal } from '../compose/compose-terminal.ts'
import { paint, type Paint } from '../compose/terminal-style.ts'
import type { ShownChange, ShownPart } from '../show/shown-part.ts'
import { toTerminalText } from '../sanitize/terminal-text.ts'
import { narrow, withoutColors, type WriteContext } from './terminal-context.ts'
import { GUTTER, renderCut } from './render-text.ts'

/** The sign and the colour of a line of a diff. */
const LOOK: Readonly<Record<ShownChange['change'], { sign: string; style: Paint }>> = {
  added: { sign: '+', style: 'green' },
  removed: { sign: '-', style: 'red' },
  kept: { sign: ' ', style: 'plain' },
  hunk: { sign: '', style: 'dim' },
  note: { sign: '', style: 'dim' },
}

/** Renders the lines of a diff after the gutter, with their numbers before and after, in the renderer's colours. */
export function renderDiff(
  diff: Extract<ShownPart, { kind: 'diff' }>,
  context: WriteContext,
): TerminalText {
  const numbered = [...diff.first, ...diff.last].flatMap(({ before = 0, after = 0 }) => [
    before,
    after,
  ])
  const digits = String(numbered.reduce((most, number) => Math.max(most, number), 0)).length
  return renderCut(diff, context, (changes) => {
    const lines = changes.flatMap((change, index) =>
      change.change === 'hunk'
        ? renderGap(index, context)
        : [renderChange(change, digits, narrow(context, GUTTER.length))],
    )
    return indentTerminal(joinTerminal(lines, '\n'), context.style.dim(GUTTER))
  })
}

/** Renders the gap between two hunks. The numbers show what is before the first one. */
function renderGap(index: number, { style }: WriteContext): TerminalText[] {
  return index === 0 ? [] : [style.dim('⋯')]
}

function renderChange(change: ShownChange, digits: number, context: WriteContext): TerminalText {
  const numbers = `${numberText(change.before, digits)} ${numberText(change.after, digits)} `
  const { columns } = narrow(context, numbers.length)
  const rows = indentTerminal(
    wrapTerminal(renderLine(change, context), columns, ' '),
    ' '.repeat(numbers.length),
  )
  return joinTerminal([
    paint(toTerminalText(numbers), 'dim', context.colors),
    toTerminalText(rows.slice(numbers.length)),
  ])
}

function numberText(number: number | undefined, digits: number): string {
  return (number === undefined ? '' : String(number)).padStart(digits)
}

/** Renders the text of a line. Changed words are marked, unless a part of the line was removed. */
function renderLine({ change, text, marks }: ShownChange, { colors }: WriteContext): TerminalText {
  const { sign, style } = LOOK[change]
  const plainText = withoutColors(text)
  const whole = toTerminalText(`${sign}${plainText}`)
  if (!marks || colors === 'none' || plainText !== text) return paint(whole, style, colors)
  const pieces = [paint(toTerminalText(sign), style, colors)]
  let offset = 0
  for (const [start, end] of marks) {
    pieces.push(paint(toTerminalText(plainText.slice(offset, start)), style, colors))
    const word = toTerminalText(plainText.slice(start, end))
    pieces.push(paint(paint(word, 'inverse', colors), style, colors))
    offset = end
  }
  pieces.push(paint(toTerminalText(plainText.slice(offset)), style, colors))
  return joinTerminal(pieces)
}
