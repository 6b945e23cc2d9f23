import { type OptionChoices, requireArguments, requireChoices } from '@toolblocks/protocol/internal'
import type { ContentBlock, SafeHtml, ToolCall, ToolResult } from '@toolblocks/protocol'
import { showArguments } from '../show/show-value.ts'
import { SHOW_CHOICES, type ShowOptions } from '../show/show-context.ts'
import { showBlocks, showResult } from '../show/show-result.ts'
import type { ShownPart } from '../show/shown-part.ts'
import { renderHtmlPart } from './html-writer.ts'
import { markup } from './safe-html.ts'

/** Options for rendering a result as HTML. */
export interface HtmlOptions extends ShowOptions {
  /** The first layout of a diff: unified (default) or side by side. A script switches. */
  diffs?: 'unified' | 'split'
  /** Whether bytes are in the page (default), so that nothing is fetched, or only named. */
  media?: 'inline' | 'name'
  /**
   * How many lines of text, code or a diff are shown: they scroll (default), or fold to the first ones with a button for all of them. `whole` shows all
   * lines and opens all levels of trees, for a decision.
   */
  tallText?: 'scroll' | 'fold' | 'whole'
}

/**
 * Renders a complete result as part of a page that has `PAGE_STYLE`, and `PAGE_SCRIPT` for more than folding. Every string of a tool is text in it.
 * It is readable without both.
 */
export function renderHtml(result: ToolResult, options: HtmlOptions = {}): SafeHtml {
  requireArguments('renderHtml(result, …)', [result, { content: 'array' }])
  requireChoices('renderHtml(result, options)', 'options', options, HTML_CHOICES)
  const { failure, answer, remarks } = showResult(result, withDefaults(options))
  return write([...failure, ...answer, ...remarks], options)
}

/** Renders blocks like `renderHtml`, without notes about their result. */
export function renderHtmlBlocks(
  blocks: readonly ContentBlock[],
  options: HtmlOptions = {},
): SafeHtml {
  requireArguments('renderHtmlBlocks(blocks, …)', [blocks, 'array'])
  requireChoices('renderHtmlBlocks(blocks, options)', 'options', options, HTML_CHOICES)
  return write(showBlocks(blocks, withDefaults(options)), options)
}

/** Renders the arguments of a call: each complete, under its name, with nothing hidden. */
export function renderHtmlArguments(values: ToolCall['arguments']): SafeHtml {
  requireArguments('renderHtmlArguments(values)', [values, 'value'])
  return write(showArguments(values), {})
}

/** The words of the options of `HtmlOptions`. */
const HTML_CHOICES = {
  ...SHOW_CHOICES,
  diffs: ['unified', 'split'],
  media: ['inline', 'name'],
  tallText: ['scroll', 'fold', 'whole'],
} as const satisfies OptionChoices<HtmlOptions>

/** A page scrolls, so it shows more than a terminal. */
const LINES = 400

function withDefaults(options: HtmlOptions): HtmlOptions {
  return { maxLines: LINES, ...options, tallValues: 'scroll' }
}

function write(parts: readonly ShownPart[], options: HtmlOptions): SafeHtml {
  const { diffs = 'unified', media = 'inline', tallText = 'scroll' } = options
  const written = parts.map((part) => renderHtmlPart(part, { diffs, media, tallText }))
  return markup`<div class="tb-result">${written}</div>`
}
