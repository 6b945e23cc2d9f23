import { createHash } from 'node:crypto'
import type { SafeHtml } from '@toolblocks/protocol'
import { encodeHtml, html } from '../safe-html.ts'
import { PAGE_SCRIPT } from './page-script.js'
import { PAGE_STYLE } from './page-style.ts'

/** What a page has besides its content. */
export interface PageOptions {
  /** From outside, as it came. */
  title: string
}

/** What comes before and after the content of a page, so that a long page can be written piece by piece. */
export function pageFrame({ title }: PageOptions): { head: SafeHtml; foot: SafeHtml } {
  const head = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${encodeHtml(POLICY)}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <title>${encodeHtml(title)}</title>
        <style>
          ${OURS.style}
        </style>
      </head>
      <body></body>
    </html>`
  return { head, foot: html`<script>${OURS.script}</script></body></html>\n` }
}

/**
 * One whole page that needs nothing else: its style and script stand in it, and its policy lets nothing else act or be fetched, even if
 * an element of somebody else's were in it.
 */
export function renderPage(content: SafeHtml, options: PageOptions): SafeHtml {
  const { head, foot } = pageFrame(options)
  return html`${head}
    <main>${content}</main>
    ${foot}`
}

// Neither holds anything from outside.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- ours, as it is
const OURS = { style: PAGE_STYLE, script: PAGE_SCRIPT } as Record<'style' | 'script', SafeHtml>

const hashOf = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const POLICY = [
  "default-src 'none'",
  `script-src ${hashOf(PAGE_SCRIPT)}`,
  `style-src ${hashOf(PAGE_STYLE)}`,
  'img-src data:',
  'media-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')
