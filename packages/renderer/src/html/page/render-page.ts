import { createHash } from 'node:crypto'
import type { SafeHtml } from '@toolblocks/protocol'
import { encodeHtml, markup } from '../safe-html.ts'
import { PAGE_SCRIPT } from './page-script.js'
import { PAGE_STYLE } from './page-style.ts'

/** What a page has besides its content. */
export interface PageOptions {
  /** From outside, as it came. */
  title: string
  /** More style, behind that of results. Of the host: nothing in it may come from outside. */
  style?: string
}

/** What comes before and after the content of a page, so that a long page can be written piece by piece. */
export function pageFrame({ title, style = '' }: PageOptions): { head: SafeHtml; foot: SafeHtml } {
  const whole = PAGE_STYLE + style
  const head = markup`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${encodeHtml(policyOf(whole))}"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer"><title>${encodeHtml(title)}</title><style>${ofOurs(whole)}</style></head><body>`
  return { head, foot: markup`<script>${ofOurs(PAGE_SCRIPT)}</script></body></html>\n` }
}

/**
 * One whole page that needs nothing else: its style and script stand in it, and its policy lets nothing else act or be fetched, even if
 * an element of somebody else's were in it.
 */
export function renderPage(content: SafeHtml, options: PageOptions): SafeHtml {
  const { head, foot } = pageFrame(options)
  return markup`${head}<main>${content}</main>${foot}`
}

/** What we wrote as it is: neither a style nor a script reads entities. */
function ofOurs(text: string): SafeHtml {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing in it comes from outside
  return text as SafeHtml
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

function policyOf(style: string): string {
  return [
    "default-src 'none'",
    `script-src ${hashOf(PAGE_SCRIPT)}`,
    `style-src ${hashOf(style)}`,
    'img-src data:',
    'media-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}
