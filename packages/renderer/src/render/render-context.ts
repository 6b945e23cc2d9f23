import {
  createTerminalStyle,
  type TerminalColors,
  type TerminalStyle,
} from '../compose/terminal-style.ts'
import type { TerminalText } from '@toolblocks/protocol'
import { revealOddInLine } from '../sanitize/reveal-odd.ts'
import { sanitizeTerminalLine } from '../sanitize/sanitize-terminal-line.ts'
import { sanitizeTerminalText } from '../sanitize/sanitize-terminal-text.ts'
import type { RenderOptions } from './render-options.ts'
import type { TextLimits } from './text/cut-text.ts'

/** What rendering of each part needs to know. */
export interface RenderContext {
  colors: TerminalColors
  style: TerminalStyle
  /** For text of a tool that may have several lines. */
  sanitize: (text: string) => TerminalText
  /** For text of a tool that is one line; cut only where things may be. */
  sanitizeLine: (text: string) => TerminalText
  /** For what may be cut. */
  limits: TextLimits
  /** For what a person must read to the end; it is cut only where no person could read it. */
  wholeLimits: TextLimits
  /** Whether a block that is for the model alone is named only. */
  collapsesModelBlocks: boolean
  root: string | undefined
  /** `whole`: nothing is cut. */
  extent: 'cut' | 'whole'
  /** `Infinity`: nothing is wrapped. */
  columns: number
  hints: NonNullable<RenderOptions['hints']>
}

const DEFAULT_LINES = 40
const LONGEST_LINE = 2000
const FEWEST_COLUMNS = 20

/** Reads the options once, for all parts. Nobody knows where in the text of an error the error is: it is not cut. */
export function createRenderContext(
  options: RenderOptions,
  end: 'success' | 'error' = 'success',
): RenderContext {
  const {
    colors = 'none',
    maxLines = DEFAULT_LINES,
    root,
    columns = Infinity,
    hints = {},
  } = options
  const wholeLimits = limitsOf(Math.max(500, maxLines), 500, 20_000)
  return {
    colors,
    style: createTerminalStyle(colors),
    sanitize: colors === 'ansi' ? sanitizeTerminalText : withoutColors,
    limits: end === 'error' ? wholeLimits : shownLimits(options),
    wholeLimits,
    collapsesModelBlocks: end === 'success' && maxLines !== Infinity,
    root,
    sanitizeLine: maxLines === Infinity ? revealOddInLine : sanitizeTerminalLine,
    extent: maxLines === Infinity ? 'whole' : 'cut',
    columns: Math.max(FEWEST_COLUMNS, columns),
    hints,
  }
}

/** The same with fewer columns: what is put before each line takes them. */
export function narrow(context: RenderContext, by: number): RenderContext {
  return { ...context, columns: Math.max(1, context.columns - by) }
}

/** Sanitizes text, and takes its colours away. */
export function withoutColors(text: string): TerminalText {
  return sanitizeTerminalText(text, { colors: 'strip' })
}

function shownLimits({ maxLines = DEFAULT_LINES, lastLines = 0 }: RenderOptions): TextLimits {
  const last = maxLines === Infinity ? 0 : Math.max(0, Math.min(lastLines, maxLines - 1))
  return limitsOf(Math.max(1, maxLines - last), last, LONGEST_LINE)
}

function limitsOf(first: number, last: number, lineLength: number): TextLimits {
  return { first, last, lineLength: first === Infinity ? Infinity : lineLength }
}
