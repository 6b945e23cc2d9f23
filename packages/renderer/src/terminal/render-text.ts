import type { TerminalText } from '@toolblocks/protocol'
import {
  getGraphemes,
  indentTerminal,
  joinTerminal,
  measureWidth,
  wrapTerminal,
} from '../compose/compose-terminal.ts'
import { type Paint, paint } from '../compose/terminal-style.ts'
import { toTerminalText } from '../sanitize/terminal-text.ts'
import type { CodeRole, CodeToken } from '../show/content-readers.ts'
import { formatCount } from '../show/show-facts.ts'
import type { TruncatedText } from '../show/truncate-text.ts'
import type { ShownPart } from '../show/shown-part.ts'
import { type WriteContext, withoutColors, renderOmitted } from './terminal-context.ts'

/** Renders untrusted text, sanitized, with a note about the omitted part. */
export function renderText(text: TruncatedText, context: WriteContext): TerminalText {
  return renderCut(text, context, (part) => wrapTerminal(context.sanitize(part), context.columns))
}

/** Renders text after a line at its left, so that a person sees where it ends. */
export function renderQuoted(text: TruncatedText, context: WriteContext): TerminalText {
  return renderCut(text, context, (part) => renderBesideGutter(context.sanitize(part), context))
}

export const GUTTER = '│ '

/** Puts a line at the left of safe text, as wide as possible. Further rows of a line follow `hang`. */
export function renderBesideGutter(
  text: TerminalText,
  { style, columns }: Pick<WriteContext, 'style' | 'columns'>,
  hang = '',
): TerminalText {
  const wrapped = wrapTerminal(text, Math.max(1, columns - GUTTER.length), hang)
  return indentTerminal(wrapped, style.dim(GUTTER))
}

/** Renders the first part, the count of omitted units, and the last part. */
export function renderCut<Part extends string | readonly unknown[]>(
  { first, left, last }: { first: Part; left: number; last: Part },
  context: WriteContext,
  write: (part: Part) => TerminalText,
): TerminalText {
  if (left === 0) return write(first)
  const end = last.length === 0 ? [] : [write(last)]
  return joinTerminal(
    [write(first), renderOmitted({ count: left, unit: 'line' }, context), ...end],
    '\n',
  )
}

const PAINTS: Readonly<Record<CodeRole, Paint>> = {
  plain: 'plain',
  keyword: 'magenta',
  string: 'green',
  number: 'yellow',
  comment: 'dim',
  name: 'blue',
  type: 'cyan',
  property: 'plain',
  meta: 'dim',
  added: 'green',
  removed: 'red',
}

/** Renders the content of a file after the gutter, in the colours of its language if known. */
export function renderCode(
  code: Extract<ShownPart, { kind: 'code' }>,
  context: WriteContext,
): TerminalText {
  const { tokens } = code
  if (!tokens || context.colors === 'none') return renderQuoted(code, context)
  return renderCut({ first: tokens.first, left: code.left, last: tokens.last }, context, (part) =>
    renderBesideGutter(renderTokens(part, context), context),
  )
}

/** Renders code in colours, sanitized token by token. */
export function renderTokens(
  tokens: readonly CodeToken[],
  { colors }: Pick<WriteContext, 'colors'>,
): TerminalText {
  return joinTerminal(
    tokens.map(({ text, role }) => paint(withoutColors(text), PAINTS[role], colors)),
  )
}

/** Returns the width of the widest line. */
export function getWidest(lines: readonly TerminalText[]): number {
  return lines.reduce((widest, line) => Math.max(widest, measureWidth(line)), 0)
}

/** Pads a line to a width. A wider one does not change. */
export function padLine(
  line: TerminalText,
  width: number,
  align: 'left' | 'center' | 'right' = 'left',
): TerminalText {
  const space = Math.max(0, width - measureWidth(line))
  const before = align === 'left' ? 0 : align === 'right' ? space : Math.floor(space / 2)
  return joinTerminal([spaces(before), line, spaces(space - before)])
}

/** Truncates a line without colours to a width, with `…` at its end. */
export function cutLine(line: TerminalText, width: number): TerminalText {
  if (measureWidth(line) <= width) return line
  let kept = ''
  let taken = 1
  for (const character of getGraphemes(line)) {
    taken += measureWidth(character)
    if (taken > width) break
    kept += character
  }
  return toTerminalText(`${kept}…`)
}

function spaces(count: number): TerminalText {
  return toTerminalText(' '.repeat(count))
}

/** Renders a tool's output on standard error: a note, or all of it, dimmed. */
export function renderStderr(
  { lines, text }: Extract<ShownPart, { kind: 'stderr' }>,
  context: WriteContext,
): TerminalText {
  const { style, colors, hints, columns } = context
  const count = `${formatCount(lines, 'line')} on standard error`
  if (text === undefined) {
    const how = hints.stderr === undefined ? '' : `; ${hints.stderr}`
    return wrapTerminal(style.dim(`(${count}${how})`), columns)
  }
  const quoted = renderCut(text, context, (part) => {
    const dimmed = part.split('\n').map((line) => paint(withoutColors(line), 'dim', colors))
    return renderBesideGutter(joinTerminal(dimmed, '\n'), context)
  })
  return joinTerminal([wrapTerminal(style.dim(`${count}:`), columns), quoted], '\n')
}
