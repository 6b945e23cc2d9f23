import type { ShownChange } from '@toolblocks/renderer/internal'
import { pairChanges, sanitizePageText } from '@toolblocks/renderer/internal/html'
import { createElement as h, type ReactElement, type ReactNode, useState } from 'react'
import { renderOmitted, renderScrolled } from './basic-elements.ts'
import type { PartKind } from '@toolblocks/renderer/internal'
import type { PartContext } from './part-context.ts'

const SIGNS: Readonly<Record<ShownChange['change'], string>> = {
  added: '+',
  removed: '-',
  kept: ' ',
  hunk: '',
  note: '',
}

/** The lines of a diff with their numbers, unified or side by side. A button switches. */
export function DiffElement({
  part: { first, left, last },
  context,
}: {
  part: PartKind<'diff'>
  context: PartContext
}): ReactElement {
  const [view, setView] = useState(context.diffs)
  const render = view === 'split' ? renderSides : renderUnified
  const body = [
    h('div', { key: 'first' }, render(first)),
    h('div', { key: 'left' }, renderOmitted(left, 'line')),
    last.length === 0 ? null : h('div', { key: 'last' }, render(last)),
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
    renderScrolled('Changes', body, context),
  )
}

function renderUnified(changes: readonly ShownChange[]): ReactElement {
  const rows = changes.map((line, index) => {
    if (isRemark(line)) return renderRemark(line, index)
    return h(
      'tr',
      { key: index, className: `tb-${line.change}` },
      renderNumber(line.before),
      renderNumber(line.after),
      h('td', { className: 'tb-sign' }, SIGNS[line.change]),
      h('td', { className: 'tb-line' }, renderMarked(line)),
    )
  })
  return h('table', { className: 'tb-diff tb-unified' }, h('tbody', null, rows))
}

function renderSides(changes: readonly ShownChange[]): ReactElement {
  const rows = pairChanges(changes).map((row, index) => {
    if ('remark' in row) return renderRemark(row.remark, index)
    return h(
      'tr',
      { key: index },
      renderNumber(row.before?.before),
      renderSide(row.before),
      renderNumber(row.after?.after),
      renderSide(row.after),
    )
  })
  return h('table', { className: 'tb-diff tb-split' }, h('tbody', null, rows))
}

function isRemark({ change }: ShownChange): boolean {
  return change === 'hunk' || change === 'note'
}

function renderRemark({ change, text }: ShownChange, index: number): ReactElement {
  return h(
    'tr',
    { key: index, className: `tb-${change}` },
    h('td', { colSpan: 4 }, sanitizePageText(text)),
  )
}

function renderSide(line: ShownChange | undefined): ReactElement {
  if (!line) return h('td', { className: 'tb-line tb-none' })
  return h('td', { className: `tb-line tb-${line.change}` }, renderMarked(line))
}

function renderNumber(number: number | undefined): ReactElement {
  return h('td', { className: 'tb-number' }, number)
}

/** A line with its changed words marked. */
function renderMarked({ change, text, marks = [] }: ShownChange): ReactNode {
  const pieces: ReactNode[] = []
  let offset = 0
  for (const [start, end] of marks) {
    pieces.push(sanitizePageText(text.slice(offset, start)))
    const name = change === 'removed' ? 'del' : 'ins'
    pieces.push(h(name, { key: start }, sanitizePageText(text.slice(start, end))))
    offset = end
  }
  return [...pieces, sanitizePageText(text.slice(offset))]
}
