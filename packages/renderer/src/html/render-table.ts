import type { PartKind, ShownColumn } from '../show/shown-part.ts'
import { createElement as h, type PageChild, type PageElement } from './page-element.ts'
import type { PageWriter } from './page-writer.ts'
import { renderField, renderOmitted, renderRemark } from './render-text.ts'
import { pageText } from './safe-html.ts'

/** Renders a table with a head and rows. */
export function renderRows(head: PageChild, rows: PageChild): PageElement {
  return h('table', { class: 'tb-table' }, h('thead', {}, h('tr', {}, head)), h('tbody', {}, rows))
}

/** Renders the cells of a row. */
export function renderCells(
  row: readonly string[],
  columns: readonly ShownColumn[],
  { align }: Pick<PageWriter<never>, 'align'>,
): readonly PageElement[] {
  return columns.map((column, index) =>
    h('td', align(column.align), renderField(row[index] ?? '', column.type)),
  )
}

/** Renders what a table has below its rows: what is omitted, and what it lacks. */
export function renderTableRemarks({ columns, rows, left }: PartKind<'table'>): PageChild {
  return [
    columns.length === 0 ? renderRemark(pageText`(no columns)`) : undefined,
    rows.length + left.rows === 0 ? renderRemark(pageText`(no rows)`) : undefined,
    renderOmitted(left.rows, 'row'),
    renderOmitted(left.columns, 'column'),
  ]
}
