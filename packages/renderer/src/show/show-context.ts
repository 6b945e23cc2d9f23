import { type OptionChoices, isValidKind } from '@toolblocks/protocol/internal'
import { type ContentBlock, type ToolResultValue } from '@toolblocks/protocol'
import type { ContentReaders } from './content-readers.ts'
import {
  type TruncatedRows,
  type TruncatedText,
  type TextLimits,
  truncateRows,
  truncateText,
} from './truncate-text.ts'
import type { ShownPart } from './shown-part.ts'

/** The context of a value renderer. */
export interface ValueRendererContext {
  /** Absolute path of the workspace. */
  root: string | undefined
  /** The blocks that are shown beside the value. */
  content: readonly ContentBlock[]
  /** Maximum rows of a list or table; `Infinity`: all. */
  maxRows: number
  /** Truncates text to the lines to show, and counts the rest. */
  cut(text: string): TruncatedText
  /** Truncates rows in the same way, one line each. */
  truncateRows<Row>(rows: readonly Row[]): TruncatedRows<Row>
  /** The readers for Markdown and for code. */
  readers: ContentReaders | undefined
}

/** The context for showing parts. */
export interface ShowContext extends Omit<ValueRendererContext, 'content'> {
  /** Truncates text that a person must read to the end only at a length that nobody can read. */
  cutLate(text: string): TruncatedText
  limits: TextLimits
  /** Whether a block for the model alone is only named. */
  collapsesModelBlocks: boolean
  /** `whole`: nothing is truncated. */
  extent: 'cut' | 'whole'
  registry: Pick<RendererRegistry, 'find'> | undefined
  tallValues: NonNullable<ShowOptions['tallValues']>
  foldsValues: boolean
}

const DEFAULT_LINES = 40
const MAX_LINE_LENGTH = 2000

/** Reads the options once, for all parts. The text of an error is not truncated, because the error may be anywhere in it. */
export function createShowContext(options: ShowOptions, end: 'success' | 'error'): ShowContext {
  const { maxLines = DEFAULT_LINES, root, registry, readers } = options
  const wholeLimits = getLimits(Math.max(500, maxLines), 500, 20_000)
  const limits = end === 'error' ? wholeLimits : shownLimits(options)
  return {
    root,
    readers,
    ...cutsWithin(limits),
    cutLate: (text) => truncateText(text, wholeLimits),
    collapsesModelBlocks: end === 'success' && maxLines !== Infinity,
    extent: maxLines === Infinity ? 'whole' : 'cut',
    registry,
    tallValues: options.tallValues ?? 'cut',
    foldsValues: options.collapsedValues !== 'open' && maxLines !== Infinity && end === 'success',
  }
}

/** Returns the same context with fewer lines. */
export function withFewerLines<Context extends ShowContext>(
  context: Context,
  lines: number,
): Context {
  if (context.extent === 'whole' || lines >= context.maxRows) return context
  return {
    ...context,
    ...cutsWithin({ ...context.limits, first: Math.max(1, Math.floor(lines)), last: 0 }),
  }
}

function cutsWithin(
  limits: TextLimits,
): Pick<ShowContext, 'limits' | 'maxRows' | 'cut' | 'truncateRows'> {
  return {
    limits,
    maxRows: limits.first + limits.last,
    cut: (text) => truncateText(text, limits),
    truncateRows: (rows) => truncateRows(rows, limits),
  }
}

function shownLimits({ maxLines = DEFAULT_LINES, lastLines = 0 }: ShowOptions): TextLimits {
  const last = maxLines === Infinity ? 0 : Math.max(0, Math.min(lastLines, maxLines - 1))
  return getLimits(Math.max(1, maxLines - last), last, MAX_LINE_LENGTH)
}

function getLimits(first: number, last: number, lineLength: number): TextLimits {
  return { first, last, lineLength: first === Infinity ? Infinity : lineLength }
}

/** The words of the options of `ShowOptions`. */
export const SHOW_CHOICES = {
  hiddenValues: ['name', 'show'],
  stderr: ['name', 'show'],
  tallValues: ['cut', 'scroll'],
  collapsedValues: ['fold', 'open'],
} as const satisfies OptionChoices<ShowOptions>

/** Options for showing a result, for every output. */
export interface ShowOptions {
  /** Absolute path of the workspace, so that its files are shown by their relative path. */
  root?: string
  /**
   * Maximum lines of one block. The rest is counted, and so is the part of a line after 2,000 characters. Default: 40. `Infinity` truncates
   * nothing, and also shows content for the model alone. Errors and questions are shown in full, up to 1,000 lines.
   */
  maxLines?: number
  /** How many of these lines are the last ones of the block. For lists and tables only the first ones count. Default: 0. */
  lastLines?: number
  /**
   * How a result is shown that its tool asks to hide (`preferredView: "hidden"`): `name` (default) mentions it, `show` shows it, for a decision.
   * Errors, questions and content for the user are never hidden.
   */
  hiddenValues?: 'name' | 'show'
  /** How standard error of a successful tool is shown: `name` (default) counts its lines, `show` shows them. */
  stderr?: 'name' | 'show'
  /**
   * How a value is shown that is taller than its tool asks for (`maxHeight`): `cut` (default) to that number of lines, or `scroll`: complete, with
   * a note.
   */
  tallValues?: 'cut' | 'scroll'
  /** How a value is shown that its tool asks to fold (`collapsed`): `fold` (default), or `open`. With `maxLines: Infinity` nothing is folded. */
  collapsedValues?: 'fold' | 'open'
  /** The readers for Markdown and for code. Default: none; both are shown unchanged. */
  readers?: ContentReaders
  /** The host's own renderers by kind. Default: none; well-known kinds have renderers, others are shown as JSON. */
  registry?: Pick<RendererRegistry, 'find'>
}

/**
 * Returns the parts for a value's `data`. The summary is shown above. `data` of a kind that is not well known is unchecked. If it throws, the value
 * is shown as if it were not registered, with a remark.
 */
export type ValueRenderer = (
  value: ToolResultValue,
  context: ValueRendererContext,
) => readonly ShownPart[]

/** Renderers by the kind of value. */
export interface RendererRegistry {
  /** Adds or replaces the renderer of a kind, also of a well-known one. Returns the registry. Throws `RendererError` for an invalid kind. */
  register(kind: string, renderer: ValueRenderer): RendererRegistry
  /** Returns the renderer of a kind; `undefined` if there is none. */
  find(kind: string): ValueRenderer | undefined
}

/** Thrown if a renderer is registered for an invalid kind. */
export class RendererError extends Error {
  readonly code = 'invalid-kind'
  override readonly name = 'RendererError'
}

/** Creates a registry without renderers. */
export function createRendererRegistry(): RendererRegistry {
  const renderers = new Map<string, ValueRenderer>()
  const registry: RendererRegistry = {
    register: (kind, renderer) => {
      if (!isValidKind(kind))
        throw new RendererError(
          `Cannot register a renderer for ${JSON.stringify(kind)}: expected a kind of lower-case words joined by dots, such as "git.status".`,
        )
      renderers.set(kind, renderer)
      return registry
    },
    find: (kind) => renderers.get(kind),
  }
  return registry
}
