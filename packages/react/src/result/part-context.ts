import type { ShownPart } from '@toolblocks/renderer'
import {
  createElement as h,
  type PageChild,
  type PageElement,
  type PageText,
} from '@toolblocks/renderer/internal/html'
import type { ReactElement } from 'react'

/** How parts are shown. */
export interface PartContext {
  /** The first layout of a diff. */
  diffs: 'unified' | 'split'
  /** `whole`: nothing scrolls and nothing is folded, for a decision. */
  extent: 'scroll' | 'whole'
  /** Elements of the host's own components, by the part that stands for them. */
  own: ReadonlyMap<ShownPart, ReactElement>
}

const HEIGHTS = [5, 10, 20, 40, 80]

/** A box that scrolls, so that neither a long line nor a tall value widens the page. The keyboard reaches it. */
export function renderScrolled(
  label: PageText,
  inner: PageChild<ReactElement>,
  { extent }: Pick<PartContext, 'extent'>,
  lines = 40,
): PageElement<ReactElement> {
  // One of a few heights in lines, because a page takes no styles from values.
  const height =
    extent === 'whole' || lines <= 0 ? undefined : (HEIGHTS.find((each) => each >= lines) ?? 80)
  return h(
    'div',
    { class: 'tb-scroll', role: 'group', 'aria-label': label, tabindex: 0, 'data-lines': height },
    inner,
  )
}
