import type { TerminalColors } from '../compose/terminal-style.ts'
import type { ImageWriter } from './image-writer.ts'
import type { ShowOptions } from '../show/context/show-options.ts'

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
