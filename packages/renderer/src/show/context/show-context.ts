import type { ContentBlock } from '@toolblocks/protocol'
import type { ContentReaders } from './content-readers.ts'
import { cutRows, type CutRows } from '../cut-rows.ts'
import { cutText, type CutText, type TextLimits } from '../cut-text.ts'
import type { RendererRegistry } from './renderer-registry.ts'
import type { ShowOptions } from './show-options.ts'

/** What a renderer of one kind may use. */
export interface ValueContext {
  /** Absolute path of the workspace. */
  root: string | undefined
  /** The blocks that are shown beside the value. */
  content: readonly ContentBlock[]
  /** Rows of a list or table that are to be shown; `Infinity`: all. */
  mostRows: number
  /** Cuts text to the lines that are to be shown, and counts the rest. */
  cut(text: string): CutText
  /** Cuts what has a line each in the same way. */
  cutRows<Row>(rows: readonly Row[]): CutRows<Row>
  /** What reads Markdown, and code to highlight. */
  readers: ContentReaders | undefined
}

/** What showing of each part needs to know. */
export interface ShowContext extends Omit<ValueContext, 'content'> {
  /** Cuts what a person must read to the end, only where no person could read it. */
  cutLate(text: string): CutText
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
const LONGEST_LINE = 2000

/** Reads the options once, for all parts. Nobody knows where in the text of an error the error is: it is not cut. */
export function createShowContext(options: ShowOptions, end: 'success' | 'error'): ShowContext {
  const { maxLines = DEFAULT_LINES, root, registry, readers } = options
  const wholeLimits = limitsOf(Math.max(500, maxLines), 500, 20_000)
  const limits = end === 'error' ? wholeLimits : shownLimits(options)
  return {
    root,
    readers,
    ...cutsWithin(limits),
    cutLate: (text) => cutText(text, wholeLimits),
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
): Pick<ShowContext, 'limits' | 'mostRows' | 'cut' | 'cutRows'> {
  return {
    limits,
    mostRows: limits.first + limits.last,
    cut: (text) => cutText(text, limits),
    cutRows: (rows) => cutRows(rows, limits),
  }
}

function shownLimits({ maxLines = DEFAULT_LINES, lastLines = 0 }: ShowOptions): TextLimits {
  const last = maxLines === Infinity ? 0 : Math.max(0, Math.min(lastLines, maxLines - 1))
  return limitsOf(Math.max(1, maxLines - last), last, LONGEST_LINE)
}

function limitsOf(first: number, last: number, lineLength: number): TextLimits {
  return { first, last, lineLength: first === Infinity ? Infinity : lineLength }
}
