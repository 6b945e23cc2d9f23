import type { ShownPart } from '@toolblocks/renderer'
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
