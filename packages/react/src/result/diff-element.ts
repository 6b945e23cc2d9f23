import type { PartKind } from '@toolblocks/renderer/internal'
import {
  createElement as element,
  pageText,
  renderChanges,
  renderOmitted,
} from '@toolblocks/renderer/internal/html'
import { createElement as h, type ReactElement, useState } from 'react'
import { toReact } from './page-element.ts'
import { type PartContext, renderScrolled } from './part-context.ts'

/** The lines of a diff with their numbers, unified or side by side. A button switches. */
export function DiffElement({
  part: { first, left, last },
  context,
}: {
  part: PartKind<'diff'>
  context: PartContext
}): ReactElement {
  const [view, setView] = useState(context.diffs)
  const body = [
    element('div', {}, renderChanges(first, view)),
    element('div', {}, renderOmitted(left, 'line')),
    last.length === 0 ? undefined : element('div', {}, renderChanges(last, view)),
  ]
  return h(
    'div',
    { className: 'tb-changes' },
    h(
      'div',
      { className: 'tb-bar' },
      h(
        'button',
        {
          type: 'button',
          'aria-pressed': view === 'split',
          onClick: () => setView(view === 'split' ? 'unified' : 'split'),
        },
        'Side by side',
      ),
    ),
    toReact(renderScrolled(pageText`Changes`, body, context)),
  )
}
