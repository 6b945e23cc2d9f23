import type { SafeHtml } from '@toolblocks/protocol'
import type { OmittedUnit } from '../show/shown-part.ts'
import { formatCount } from '../show/show-facts.ts'
import { encodeHtml, markup } from './safe-html.ts'

/** How parts are rendered for a page. */
export interface HtmlContext {
  diffs: 'unified' | 'split'
  media: 'inline' | 'name'
  tallText: 'scroll' | 'fold' | 'whole'
}

/** Renders the number of omitted units; nothing for none. */
export function renderOmitted(count: number, unit: OmittedUnit): SafeHtml {
  if (count === 0) return markup``
  const several = unit === 'entry' ? 'entries' : `${unit}s`
  return markup`<p class="tb-left">… ${encodeHtml(formatCount(count, `more ${unit}`, `more ${several}`))}</p>`
}

/** Renders markup in a scrollable box, so that neither a long line nor a tall value widens the page. The keyboard reaches it. */
export function renderScrolled(label: SafeHtml, inner: SafeHtml, height: SafeHtml): SafeHtml {
  return markup`<div class="tb-scroll ${height}" role="region" aria-label="${label}" tabindex="0">${inner}</div>`
}

/** Visible lines of folded text. Longer text folds only if that hides some lines. */
const FOLDED = 20

/** Renders lines of text, code or a diff. Many lines scroll, or fold to the first ones with a button for all of them, or are all shown. */
export function renderLines(
  label: SafeHtml,
  inner: SafeHtml,
  { lines, tallText }: { lines: number } & Pick<HtmlContext, 'tallText'>,
): SafeHtml {
  if (tallText === 'scroll') return renderScrolled(label, inner, markup`tb-high-40`)
  const scrolled = renderScrolled(label, inner, markup``)
  if (tallText === 'whole' || lines <= FOLDED + 5) return scrolled
  const all = encodeHtml(formatCount(lines, 'line'))
  return markup`<div class="tb-tall"><details><summary>All ${all}</summary></details>${scrolled}</div>`
}

/** Returns the number of lines of some texts. */
export function countLines(...texts: readonly string[]): number {
  return texts.reduce((count, text) => count + (text === '' ? 0 : text.split('\n').length), 0)
}

const HEIGHTS = [5, 10, 20, 40, 80]

/** Returns one of a few height classes for a number of lines, because a page takes no styles from values. */
export function heightClass(lines: number | undefined): SafeHtml {
  if (lines === undefined || !(lines > 0)) return markup``
  return markup`tb-high-${HEIGHTS.find((height) => height >= lines) ?? 80}`
}
