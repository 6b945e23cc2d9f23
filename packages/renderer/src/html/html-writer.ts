import type { SafeHtml } from '@toolblocks/protocol'
import { formatCount } from '../show/show-facts.ts'
import { tabulateEntries } from '../show/show-table.ts'
import type { PartKind, ShownColumn, ShownPart } from '../show/shown-part.ts'
import { createElement as h, type PageChild, type PageElement, writeHtml } from './page-element.ts'
import type { PageWriter } from './page-writer.ts'
import { renderChanges } from './render-diff.ts'
import { renderPre } from './render-markdown.ts'
import { renderPart } from './render-part.ts'
import { renderCells, renderRows, renderTableRemarks } from './render-table.ts'
import { renderOmitted } from './render-text.ts'
import { type PageText, pageText, sanitizePageLine, sanitizePageText } from './safe-html.ts'

/** How parts are rendered as HTML. */
export interface HtmlContext {
  diffs: 'unified' | 'split'
  media: 'inline' | 'name'
  tallText: 'scroll' | 'fold' | 'whole'
}

/** Renders a part as HTML. */
export function renderHtmlPart(part: ShownPart, context: HtmlContext): SafeHtml {
  return writeHtml(renderPart(part, createHtmlWriter(context)))
}

/** Returns how parts are written as HTML. A script adds functions to the elements `tb-…`. */
function createHtmlWriter({ diffs, media, tallText }: HtmlContext): PageWriter<SafeHtml> {
  return {
    isWhole: tallText === 'whole',
    media,
    maxTextLines: tallText === 'fold' ? 25 : 40,
    space: pageText` `,
    fold: {},
    figure: {},
    image: { loading: 'lazy' },
    findOwn: () => undefined,
    align,
    renderWide: (label, inner) => renderScrolled(label, inner, ''),
    renderTall: (label, inner, { first, last }) =>
      renderLines(label, inner, { lines: countLines(first, last), tallText }),
    renderCode: (label, body, { first, last }) =>
      h('tb-code', {}, renderLines(label, body, { lines: countLines(first, last), tallText })),
    renderSample: ({ first, tokens }) =>
      h(
        'tb-code',
        {},
        renderScrolled(pageText`Code`, renderPre(first, tokens?.first), 'tb-high-40'),
      ),
    renderDiff({ first, left, last }) {
      const end = last.length === 0 ? undefined : renderChanges(last, diffs)
      const body = [renderChanges(first, diffs), renderOmitted(left, 'line'), end]
      const lines = first.length + last.length
      return h(
        'tb-diff',
        { 'data-view': diffs },
        renderLines(pageText`Changes`, body, { lines, tallText }),
      )
    },
    renderTable,
    renderTree: (tree) => h('tb-tree', {}, tree),
    renderEntries,
    renderGroup(parts, maxHeight = 0) {
      if (tallText === 'whole' || maxHeight <= 0) return h('div', { class: 'tb-group' }, parts)
      const height = HEIGHTS.find((each) => each >= maxHeight) ?? 80
      return renderScrolled(pageText`Value`, parts, `tb-high-${height}`)
    },
  }
}

/** A page takes no styles from values, so there are a few heights, in lines. */
const HEIGHTS = [5, 10, 20, 40, 80]

function align(side: ShownColumn['align'] = 'left'): { class: string } {
  return { class: `tb-to-${side}` }
}

/** Renders a scrollable box, so that neither a long line nor a tall value widens the page. The keyboard reaches it. */
function renderScrolled<Own>(
  label: PageText,
  inner: PageChild<Own>,
  height: string,
): PageElement<Own> {
  return h(
    'div',
    { class: `tb-scroll ${height}`, role: 'region', 'aria-label': label, tabindex: 0 },
    inner,
  )
}

/** Visible lines of folded text. Longer text folds only if that hides some lines. */
const FOLDED = 20

/** Renders lines of text, code or a diff. Many lines scroll, or fold to the first ones with a button for all of them, or are all shown. */
function renderLines<Own>(
  label: PageText,
  inner: PageChild<Own>,
  { lines, tallText }: { lines: number } & Pick<HtmlContext, 'tallText'>,
): PageElement<Own> {
  if (tallText === 'scroll') return renderScrolled(label, inner, 'tb-high-40')
  const scrolled = renderScrolled(label, inner, '')
  if (tallText === 'whole' || lines <= FOLDED + 5) return scrolled
  const all = h('summary', {}, sanitizePageText(`All ${formatCount(lines, 'line')}`))
  return h('div', { class: 'tb-tall' }, h('details', {}, all), scrolled)
}

function countLines(...texts: readonly string[]): number {
  return texts.reduce((count, text) => count + (text === '' ? 0 : text.split('\n').length), 0)
}

/** Renders rows with columns. A script adds sorting and a filter. */
function renderTable(part: PartKind<'table'>): PageElement {
  const { columns, rows } = part
  const head = columns.map(({ label, align: side, type = 'string' }) =>
    h('th', { scope: 'col', ...align(side), 'data-type': type }, sanitizePageLine(label)),
  )
  const body = rows.map((row) => h('tr', {}, renderCells(row, columns, { align })))
  const table = renderScrolled(pageText`Table`, renderRows(head, body), 'tb-high-40')
  return h('tb-table', {}, table, renderTableRemarks(part))
}

function renderEntries(part: PartKind<'entries'>): PageElement {
  const { columns, rows } = tabulateEntries(part)
  const sides = columns.map(({ align: side }) => (side === 'right' ? align(side) : {}))
  const head = columns.map(({ label, align: side }, index) => {
    const type = side === 'right' ? { 'data-type': 'size' } : {}
    return h('th', { scope: 'col', ...sides[index], ...type }, sanitizePageLine(label))
  })
  const body = rows.map((row) => {
    const cells = row.map((cell, index) => {
      const text = sanitizePageLine(cell)
      return h('td', { ...sides[index] }, index === 0 ? h('code', {}, text) : text)
    })
    return h('tr', {}, cells)
  })
  const table = renderScrolled(pageText`Entries`, renderRows(head, body), 'tb-high-40')
  return h('tb-table', {}, table, renderOmitted(part.left, 'entry'))
}
