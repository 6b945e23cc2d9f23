import { requireChoice } from '@toolblocks/protocol/internal'
import type { TerminalText } from '@toolblocks/protocol'
import { sanitizeTerminalLine } from '../sanitize/sanitize-terminal-text.ts'
import { toTerminalText } from '../sanitize/terminal-text.ts'

/**
 * Functions that render one line each, sanitized by `sanitizeTerminalLine`, in a colour or weight: `plain`, `bold` and `dim`, and `red`, `green`,
 * `yellow` and `cyan` as the person's terminal shows them.
 */
export interface TerminalStyle {
  plain(text: string): TerminalText
  bold(text: string): TerminalText
  dim(text: string): TerminalText
  red(text: string): TerminalText
  green(text: string): TerminalText
  yellow(text: string): TerminalText
  cyan(text: string): TerminalText
}

/** Whether colours are written. */
export type TerminalColors = 'none' | 'ansi'

/** Creates the styles for a host's own lines: in colour for `ansi`, without for `none`. */
export function createTerminalStyle(colors: TerminalColors): TerminalStyle {
  requireChoice('createTerminalStyle(colors)', 'colors', colors, ['none', 'ansi'])
  const inStyle =
    (style: Exclude<keyof TerminalStyle, 'plain'>) =>
    (text: string): TerminalText =>
      paint(sanitizeTerminalLine(text), style, colors)
  return {
    plain: sanitizeTerminalLine,
    bold: inStyle('bold'),
    dim: inStyle('dim'),
    red: inStyle('red'),
    green: inStyle('green'),
    yellow: inStyle('yellow'),
    cyan: inStyle('cyan'),
  }
}

/** The styles of text; more than a host needs for its own lines. */
export type Paint =
  | keyof TerminalStyle
  | 'blue'
  | 'magenta'
  | 'inverse'
  | 'italic'
  | 'underline'
  | 'strikethrough'

/** The ECMA-48 codes that begin and end each style. */
const CODES: Readonly<Record<Exclude<Paint, 'plain'>, readonly [begin: number, end: number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  italic: [3, 23],
  underline: [4, 24],
  inverse: [7, 27],
  strikethrough: [9, 29],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  magenta: [35, 39],
  cyan: [36, 39],
}

/** Styles text without colours. */
export function paint(text: TerminalText, style: Paint, colors: TerminalColors): TerminalText {
  if (colors === 'none' || style === 'plain' || text === '') return text
  const [begin, end] = CODES[style]
  return toTerminalText(`\u001B[${begin}m${text}\u001B[${end}m`)
}
