import type { ContentReaders } from './content-readers.ts'
import type { RendererRegistry } from './renderer-registry.ts'

/** What of a result is shown, wherever it is written. */
export interface ShowOptions {
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
   * What becomes of a result that its tool asks to hide (`preferredView: "hidden"`): `name` (default) says that it
   * is there, `show` shows it, for what a person is to approve. Errors, questions and what is meant for the user are never hidden.
   */
  hiddenValues?: 'name' | 'show'
  /** What a successful tool printed on standard error: `name` (default) counts its lines, `show` shows them. */
  stderr?: 'name' | 'show'
  /** What is taller than its tool asks for (`maxHeight`): `cut` (default) to so many lines, or `scroll`: whole, and said. */
  tallValues?: 'cut' | 'scroll'
  /** What a tool asks to fold (`collapsed`): `fold` (default), or `open`. With `maxLines: Infinity` nothing is folded. */
  collapsedValues?: 'fold' | 'open'
  /** Reads Markdown, and code to highlight. Default: none; both are shown as they stand. */
  readers?: ContentReaders
  /** The host's own renderers of kinds. Default: none; well-known kinds have theirs, others are shown as JSON. */
  registry?: RendererRegistry
}
