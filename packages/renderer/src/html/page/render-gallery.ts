import type { SafeHtml, ToolResult } from '@toolblocks/protocol'
import { pageLine } from '../page-text.ts'
import { type HtmlOptions, renderHtml } from '../render-html.ts'
import { markup } from '../safe-html.ts'
import { renderPage } from './render-page.ts'

/** A result to look at, and what it shows. */
export interface GallerySample {
  title: string
  result: ToolResult
}

/** One page with results below each other, each under its title. */
export function renderGallery(
  samples: readonly GallerySample[],
  options: HtmlOptions = {},
): SafeHtml {
  const shown = samples.map(
    ({ title, result }) =>
      markup`<section><h2>${pageLine(title)}</h2>${renderHtml(result, options)}</section>`,
  )
  return renderPage(markup`<h1>Gallery</h1>${shown}`, { title: 'Gallery' })
}
