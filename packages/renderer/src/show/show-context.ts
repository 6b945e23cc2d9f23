import { type ContentBlock, type ToolResultValue, isValidKind } from '@toolblocks/protocol'
import type { ContentReaders } from './content-readers.ts'
import {
  type TruncatedRows,
  type TruncatedText,
  type TextLimits,
  truncateRows,
  truncateText,
} from './truncate-text.ts'
import type { ShownPart } from './shown-part.ts'

/** What a renderer of one kind may use. */
export interface ValueRendererContext {
  /** Absolute path of the workspace. */
  root: string | undefined
  /** The blocks that are shown beside the value. */
  content: readonly ContentBlock[]
  /** Rows of a list or table that are to be shown; `Infinity`: all. */
  mostRows: number
  /** Cuts text to the lines that are to be shown, and counts the rest. */
  cut(text: string): TruncatedText
  /** Cuts what has a line each in the same way. */
  truncateRows<Row>(rows: readonly Row[]): TruncatedRows<Row>
  /** What reads Markdown, and code to highlight. */
  readers: ContentReaders | undefined
}

/** What showing of each part needs to know. */
export interface ShowContext extends Omit<ValueRendererContext, 'content'> {
  /** Cuts what a person must read to the end, only where no person could read it. */
  cutLate(text: string): TruncatedText
  limits: TextLimits
  /** Whether a block that is for the model alone is named only. */
  collapsesModelBlocks: boolean
  /** `whole`: nothing is cut. */
  extent: 'cut' | 'whole'
  registry: RendererRegistry | undefined
  tallValues: NonNullable<ShowOptions['tallValues']>
  foldsValues: boolean
}

const DEFAULT_LINES = 40
const MAX_LINE_LENGTH = 2000

/** Reads the options once, for all parts. Nobody knows where in the text of an error the error is: it is not cut. */
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

/** The same, cut to fewer lines. */
export function withFewerLines<Context extends ShowContext>(
  context: Context,
  lines: number,
): Context {
  if (context.extent === 'whole' || lines >= context.mostRows) return context
  return {
    ...context,
    ...cutsWithin({ ...context.limits, first: Math.max(1, Math.floor(lines)), last: 0 }),
  }
}

function cutsWithin(
  limits: TextLimits,
): Pick<ShowContext, 'limits' | 'mostRows' | 'cut' | 'truncateRows'> {
  return {
    limits,
    mostRows: limits.first + limits.last,
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

/**
 * Says what a person is shown of a value's `data`; its summary stands above. Nothing has checked `data` for a kind that is not
 * well known. Where it throws, the value is shown as if it were not registered, and a remark says so.
 */
export type ValueRenderer = (
  value: ToolResultValue,
  context: ValueRendererContext,
) => readonly ShownPart[]

/** Renderers by the kind of value that they show. */
export interface RendererRegistry {
  /**
   * Adds the renderer of a kind, also of a well-known one, in place of one that was there. Returns the registry. Throws
   * `RendererError` for what can be no kind.
   */
  register(kind: string, renderer: ValueRenderer): RendererRegistry
  /** The renderer of a kind; undefined where there is none. */
  find(kind: string): ValueRenderer | undefined
}

/** A renderer was registered for what is no kind of value. */
export class RendererError extends Error {
  readonly code = 'invalid-kind'
  override readonly name = 'RendererError'
}

/** Makes a registry without renderers. */
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
