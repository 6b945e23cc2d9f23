import type { SafeHtml } from '@toolblocks/protocol'
import type { LeftUnit } from '../../show/shown-part.ts'
import { countOf } from '../../show/count-of.ts'
import { encodeHtml, markup } from '../safe-html.ts'

/** How parts are written for a page. */
export interface HtmlContext {
  diffs: 'unified' | 'split'
  media: 'inline' | 'name'
}

/** Says how many of what are left out; nothing for none. */
export function writeLeft(count: number, unit: LeftUnit): SafeHtml {
  if (count === 0) return markup``
  const several = unit === 'entry' ? 'entries' : `${unit}s`
  return markup`<p class="tb-left">… ${encodeHtml(countOf(count, `more ${unit}`, `more ${several}`))}</p>`
}

/** Markup that scrolls in itself, so that neither a long line nor a tall value widens the page; reached by the keyboard. */
export function writeScrolled(label: SafeHtml, inner: SafeHtml, height: SafeHtml): SafeHtml {
  return markup`<div class="tb-scroll ${height}" role="region" aria-label="${label}" tabindex="0">${inner}</div>`
}

const HEIGHTS = [5, 10, 20, 40, 80]

/** The class of a height in lines: one of a few, because a page takes no styles from values. */
export function heightClass(lines: number | undefined): SafeHtml {
  if (lines === undefined || !(lines > 0)) return markup``
  return markup`tb-high-${HEIGHTS.find((height) => height >= lines) ?? 80}`
}
