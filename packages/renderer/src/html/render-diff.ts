import type { ShownChange } from '../show/shown-part.ts'
import { createElement as h, type PageChild, type PageElement } from './page-element.ts'
import { type ChangeRow, isRemark, pairChanges } from './pair-changes.ts'
import { pageText, sanitizePageText } from './safe-html.ts'

const SIGNS: Readonly<Record<ShownChange['change'], PageChild>> = {
  added: pageText`+`,
  removed: pageText`-`,
  kept: pageText` `,
  hunk: pageText``,
  note: pageText``,
}

/** Renders the lines of a diff with their numbers, unified or side by side. */
export function renderChanges(
  changes: readonly ShownChange[],
  view: 'unified' | 'split',
): PageElement {
  const rows = view === 'split' ? pairChanges(changes).map(renderPair) : changes.map(renderChange)
  return h('table', { class: `tb-diff tb-${view}` }, h('tbody', {}, rows))
}

function renderChange(line: ShownChange): PageElement {
  if (isRemark(line)) return renderRemark(line)
  return h(
    'tr',
    { class: `tb-${line.change}` },
    renderNumber(line.before),
    renderNumber(line.after),
    h('td', { class: 'tb-sign' }, SIGNS[line.change]),
    h('td', { class: 'tb-line' }, renderMarked(line)),
  )
}

function renderPair(row: ChangeRow<ShownChange>): PageElement {
  if ('remark' in row) return renderRemark(row.remark)
  return h('tr', {}, renderSide(row.before, 'before'), renderSide(row.after, 'after'))
}

function renderRemark({ change, text }: ShownChange): PageElement {
  return h('tr', { class: `tb-${change}` }, h('td', { colspan: 4 }, sanitizePageText(text)))
}

function renderSide(line: ShownChange | undefined, side: 'before' | 'after'): PageChild {
  const text = line
    ? h('td', { class: `tb-line tb-${line.change}` }, renderMarked(line))
    : h('td', { class: 'tb-line tb-none' })
  return [renderNumber(line?.[side]), text]
}

function renderNumber(number: number | undefined): PageElement {
  return h('td', { class: 'tb-number' }, number)
}

/** Renders a line with its changed words marked. */
function renderMarked({ change, text, marks = [] }: ShownChange): PageChild {
  const pieces: PageChild[] = []
  let offset = 0
  for (const [start, end] of marks) {
    const marked = sanitizePageText(text.slice(start, end))
    pieces.push(sanitizePageText(text.slice(offset, start)))
    pieces.push(h(change === 'removed' ? 'del' : 'ins', {}, marked))
    offset = end
  }
  return [...pieces, sanitizePageText(text.slice(offset))]
}
