import type { TerminalText } from '@toolblocks/protocol'
import { wrapTerminal } from '../compose/compose-terminal.ts'
import {
  type TerminalColors,
  type TerminalStyle,
  createTerminalStyle,
} from '../compose/terminal-style.ts'
import { revealOddInLine } from '../sanitize/odd-characters.ts'
import { sanitizeTerminalLine, sanitizeTerminalText } from '../sanitize/sanitize-terminal-text.ts'
import { formatCount } from '../show/show-facts.ts'
import type { ShowOptions } from '../show/show-context.ts'
import type { OmittedUnit } from '../show/shown-part.ts'
import type { ImageWriter } from './find-abilities.ts'

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

const MIN_COLUMNS = 20

/** Reads the options once, for all parts. */
export function createWriteContext(options: RenderOptions): WriteContext {
  const { colors = 'none', maxLines, columns = Infinity, hints = {}, links = 'none' } = options
  return {
    colors,
    style: createTerminalStyle(colors),
    sanitize: colors === 'ansi' ? sanitizeTerminalText : withoutColors,
    sanitizeLine: maxLines === Infinity ? revealOddInLine : sanitizeTerminalLine,
    extent: maxLines === Infinity ? 'whole' : 'cut',
    columns: Math.max(MIN_COLUMNS, columns),
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

/** How results are rendered for a terminal. */
export interface RenderOptions extends ShowOptions {
  /** `ansi`: with colours, a tool's own too. Default: `none`, for files, pipes and `NO_COLOR`. */
  colors?: TerminalColors
  /**
   * Columns to lay out for, at least 20: words wrap whole, gutters and indents stay, tables shrink. Default: nothing is wrapped, as
   * for files and pipes.
   */
  columns?: number
  /** `osc8`: addresses are links, for terminals that know them. Default: `none`. */
  links?: 'none' | 'osc8'
  /** Shows pictures, as `createImageWriter` of `@toolblocks/renderer/images` makes one. Default: a picture is one line. */
  images?: ImageWriter
  /** What the person can do to see more, said where something is left out. */
  hints?: {
    /** Behind what was cut, for example `shown with --lines all`. */
    cut?: string
    /** Behind the count of lines on standard error, for example `shown with --verbose`. */
    stderr?: string
  }
}

/** Says how much was left out, and how to see it. */
export function renderOmitted(
  { count, unit }: { count: number; unit: OmittedUnit },
  { style, columns, hints }: WriteContext,
): TerminalText {
  const several = unit === 'entry' ? 'entries' : `${unit}s`
  const how = hints.cut === undefined ? '' : ` (${hints.cut})`
  const left = formatCount(count, `more ${unit}`, `more ${several}`)
  return wrapTerminal(style.dim(`… ${left}${how}`), columns)
}
