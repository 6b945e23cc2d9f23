import type { OptionChoices } from '@toolblocks/protocol/internal'
import type { TerminalText } from '@toolblocks/protocol'
import { wrapTerminal } from '../compose/compose-terminal.ts'
import {
  type TerminalColors,
  type TerminalStyle,
  createTerminalStyle,
} from '../compose/terminal-style.ts'
import { revealUnsafeInLine } from '../sanitize/unsafe-characters.ts'
import { sanitizeTerminalLine, sanitizeTerminalText } from '../sanitize/sanitize-terminal-text.ts'
import { formatCount } from '../show/show-facts.ts'
import { SHOW_CHOICES, type ShowOptions } from '../show/show-context.ts'
import type { OmittedUnit } from '../show/shown-part.ts'
import type { ImageWriter } from './find-abilities.ts'

/** The context for rendering parts. */
export interface WriteContext {
  colors: TerminalColors
  style: TerminalStyle
  /** For text of a tool that may have several lines. */
  sanitize: (text: string) => TerminalText
  /** For text of a tool in one line; truncated only if that is allowed. */
  sanitizeLine: (text: string) => TerminalText
  /** `whole`: nothing is truncated. */
  extent: 'cut' | 'whole'
  /** `Infinity`: nothing is wrapped. */
  columns: number
  hints: NonNullable<RenderOptions['hints']>
  links: NonNullable<RenderOptions['links']>
  images: RenderOptions['images']
}

/** A narrower terminal shows one word in several rows. */
const MIN_COLUMNS = 8

/** Reads the options once, for all parts. */
export function createWriteContext(options: RenderOptions): WriteContext {
  const { colors = 'none', maxLines, columns = Infinity, hints = {}, links = 'none' } = options
  return {
    colors,
    style: createTerminalStyle(colors),
    sanitize: colors === 'ansi' ? sanitizeTerminalText : withoutColors,
    sanitizeLine: maxLines === Infinity ? revealUnsafeInLine : sanitizeTerminalLine,
    extent: maxLines === Infinity ? 'whole' : 'cut',
    columns: Math.max(MIN_COLUMNS, columns),
    hints,
    links,
    images: options.images,
  }
}

/** Returns the context with fewer columns, for text with a prefix. */
export function narrow(context: WriteContext, by: number): WriteContext {
  return { ...context, columns: Math.max(1, context.columns - by) }
}

/** Sanitizes text and removes its colours. */
export function withoutColors(text: string): TerminalText {
  return sanitizeTerminalText(text, { colors: 'strip' })
}

/** The words of the options of `RenderOptions`. */
export const RENDER_CHOICES = {
  ...SHOW_CHOICES,
  colors: ['none', 'ansi'],
  links: ['none', 'osc8'],
} as const satisfies OptionChoices<RenderOptions>

/** Options for rendering results for a terminal. */
export interface RenderOptions extends ShowOptions {
  /** `ansi`: with colours, a tool's own too. Default: `none`, for files, pipes and `NO_COLOR`. */
  colors?: TerminalColors
  /** Columns of the layout, at least 8: words wrap, gutters and indents stay, tables shrink. Default: nothing is wrapped, as for files and pipes. */
  columns?: number
  /** `osc8`: addresses are links, for terminals that support them. Default: `none`. */
  links?: 'none' | 'osc8'
  /** Shows pictures, from `createImageWriter` of `@toolblocks/renderer/images`. Default: a picture is one line. */
  images?: ImageWriter
  /** What the person can do to see more, shown beside omitted content. */
  hints?: {
    /** After truncated content, for example `shown with --lines all`. */
    cut?: string
    /** After the count of lines on standard error, for example `shown with --verbose`. */
    stderr?: string
  }
}

/** Renders how much was omitted, and how to see it. */
export function renderOmitted(
  { count, unit }: { count: number; unit: OmittedUnit },
  { style, columns, hints }: WriteContext,
): TerminalText {
  const several = unit === 'entry' ? 'entries' : `${unit}s`
  const how = hints.cut === undefined ? '' : ` (${hints.cut})`
  const left = formatCount(count, `more ${unit}`, `more ${several}`)
  return wrapTerminal(style.dim(`… ${left}${how}`), columns)
}
