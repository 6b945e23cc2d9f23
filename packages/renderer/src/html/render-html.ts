import type { ContentBlock, SafeHtml, ToolCall, ToolResult } from '@toolblocks/protocol'
import { showArguments } from '../show/show-value.ts'
import { showBlock } from '../show/show-block.ts'
import { type ShowOptions, createShowContext } from '../show/show-context.ts'
import { showResult } from '../show/show-result.ts'
import type { ShownPart } from '../show/shown-part.ts'
import { markup, joinHtml } from './safe-html.ts'
import type { HtmlContext } from './html-context.ts'
import { renderPart } from './render-part.ts'

/** How a result is written for a page. */
export interface HtmlOptions extends ShowOptions {
  /** Lines of a diff one below the other (default), or the sides beside each other; a script changes between them. */
  diffs?: 'unified' | 'split'
  /** Bytes stand within the page (default), so that nothing is fetched, or are named only. */
  media?: 'inline' | 'name'
  /** Many lines of text, code or a diff: they scroll in themselves (default), or fold to the first ones, with all of them behind a click. */
  tallText?: 'scroll' | 'fold'
}

/**
 * Renders a whole result as part of a page that has `PAGE_STYLE`, and `PAGE_SCRIPT` for what is more than folding: elements of ours,
 * in which every string of a tool is text. Readable without either.
 */
export function renderHtml(result: ToolResult, options: HtmlOptions = {}): SafeHtml {
  const { failure, answer, remarks } = showResult(result, withDefaults(options))
  return write([...failure, ...answer, ...remarks], options)
}

/** Renders blocks as `renderHtml` does, without a word on the result they come from. */
export function renderHtmlBlocks(
  blocks: readonly ContentBlock[],
  options: HtmlOptions = {},
): SafeHtml {
  const context = createShowContext(withDefaults(options), 'success')
  return write(
    blocks.map((block) => showBlock(block, context)),
    options,
  )
}

/** Renders the arguments of a call: each whole, under its name; nothing in them hides. */
export function renderHtmlArguments(values: ToolCall['arguments']): SafeHtml {
  return write(showArguments(values), {})
}

/** A page scrolls: it takes more than a terminal does. */
const LINES = 400

function withDefaults(options: HtmlOptions): HtmlOptions {
  return { maxLines: LINES, ...options, tallValues: 'scroll' }
}

function write(parts: readonly ShownPart[], options: HtmlOptions): SafeHtml {
  const context: HtmlContext = {
    diffs: options.diffs ?? 'unified',
    media: options.media ?? 'inline',
    tallText: options.tallText ?? 'scroll',
  }
  const written = joinHtml(parts.map((part) => renderPart(part, context)))
  return markup`<div class="tb-result">${written}</div>`
}
