import type { TerminalColors } from '../compose/terminal-style.ts'

/** How results are rendered for a terminal. */
export interface RenderOptions {
  /** `ansi`: with colours, a tool's own too. Default: `none`, for files, pipes and `NO_COLOR`. */
  colors?: TerminalColors
  /** Absolute path of the workspace, so that files in it are shown by their path there. */
  root?: string
  /**
   * Lines of one block that are shown; the rest is counted, and so is what follows the first 2,000 characters of a line.
   * Default: 40. `Infinity` cuts nothing, and shows what is for the model alone, too. Errors and questions are shown whole, up to
   * 1,000 lines.
   */
  maxLines?: number
  /** How many of them are the last ones of the block instead of its first; for lists and tables the first ones count only. Default: 0. */
  lastLines?: number
  /**
   * What becomes of structured content that its tool asks to hide (`preferredView: "hidden"`): `name` (default) says that it
   * is there, `show` shows it, for what a person is to approve.
   */
  hiddenValues?: 'name' | 'show'
  /**
   * Columns to lay out for, at least 20: words wrap whole, gutters and indents stay, tables shrink. Default: nothing is wrapped, as
   * for files and pipes.
   */
  columns?: number
  /** What a successful tool printed on standard error: `name` (default) counts its lines, `show` shows them, dimmed. */
  stderr?: 'name' | 'show'
  /** What the person can do to see more, said where something is left out. */
  hints?: {
    /** Behind what was cut, for example `shown with --lines all`. */
    cut?: string
    /** Behind the count of lines on standard error, for example `shown with --verbose`. */
    stderr?: string
  }
}
