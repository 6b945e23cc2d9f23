import type { TerminalText } from '@toolblocks/protocol'
import {
  createTerminalStyle,
  type TerminalColors,
  type TerminalStyle,
} from '../../compose/terminal-style.ts'
import { revealOddInLine } from '../../sanitize/reveal-odd.ts'
import { sanitizeTerminalLine } from '../../sanitize/sanitize-terminal-line.ts'
import { sanitizeTerminalText } from '../../sanitize/sanitize-terminal-text.ts'
import type { RenderOptions } from '../render-options.ts'

/** What writing of each part needs to know. */
export interface WriteContext {
  colors: TerminalColors
  style: TerminalStyle
  /** For text of a tool that may have several lines. */
  sanitize: (text: string) => TerminalText
  /** For text of a tool that is one line; cut only where things may be. */
  sanitizeLine: (text: string) => TerminalText
  /** `whole`: nothing is cut. */
  extent: 'cut' | 'whole'
  /** `Infinity`: nothing is wrapped. */
  columns: number
  hints: NonNullable<RenderOptions['hints']>
  links: NonNullable<RenderOptions['links']>
  images: RenderOptions['images']
}

const FEWEST_COLUMNS = 20

/** Reads the options once, for all parts. */
export function createWriteContext(options: RenderOptions): WriteContext {
  const { colors = 'none', maxLines, columns = Infinity, hints = {}, links = 'none' } = options
  return {
    colors,
    style: createTerminalStyle(colors),
    sanitize: colors === 'ansi' ? sanitizeTerminalText : withoutColors,
    sanitizeLine: maxLines === Infinity ? revealOddInLine : sanitizeTerminalLine,
    extent: maxLines === Infinity ? 'whole' : 'cut',
    columns: Math.max(FEWEST_COLUMNS, columns),
    hints,
    links,
    images: options.images,
  }
}

/** The same with fewer columns: what is put before each line takes them. */
export function narrow(context: WriteContext, by: number): WriteContext {
  return { ...context, columns: Math.max(1, context.columns - by) }
}

/** Sanitizes text, and takes its colours away. */
export function withoutColors(text: string): TerminalText {
  return sanitizeTerminalText(text, { colors: 'strip' })
}
