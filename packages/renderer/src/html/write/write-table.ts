import type { SafeHtml } from '@toolblocks/protocol'
import type { FieldType, ShownColumn, ShownPart } from '../../show/shown-part.ts'
import { pageAddress } from '../page-address.ts'
import { pageLine, pageText } from '../page-text.ts'
import { encodeHtml, markup } from '../safe-html.ts'
import { writeLeft, writeScrolled } from './write-context.ts'

/** Rows under their columns; a script adds sorting and a filter. */
export function writeTable({
  columns,
  rows,
  left,
}: Extract<ShownPart, { kind: 'table' }>): SafeHtml {
  const labels = columns.map(
    (column) =>
      markup`<th scope="col" class="tb-to-${encodeHtml(column.align)}" data-type="${encodeHtml(column.type ?? 'string')}">${pageLine(column.label)}</th>`,
  )
  const body = rows.map(
    (row) =>
      markup`<tr>${columns.map((column, index) => writeCell(row[index] ?? '', column))}</tr>`,
  )
  const none = columns.length === 0 ? markup`<p class="tb-left">(no columns)</p>` : markup``
  const table = markup`<table class="tb-table"><thead><tr>${labels}</tr></thead><tbody>${body}</tbody></table>`
  const isEmpty = rows.length + left.rows === 0
  const empty = isEmpty ? markup`<p class="tb-left">(no rows)</p>` : markup``
  return markup`<tb-table>${writeScrolled(markup`Table`, table, markup`tb-high-40`)}${none}${empty}${writeLeft(left.rows, 'row')}${writeLeft(left.columns, 'column')}</tb-table>`
}

function writeCell(text: string, { align, type }: ShownColumn): SafeHtml {
  return markup`<td class="tb-to-${encodeHtml(align)}">${writeField(text, type)}</td>`
}

/** Text that a hint says what it is: an address leads somewhere, a path stands in the letters of code. */
export function writeField(text: string, type: FieldType | undefined): SafeHtml {
  if (type === 'path') return markup`<code>${pageText(text)}</code>`
  return type === 'url' ? writeLink(text, pageLine(text)) : pageText(text)
}

/** Something that leads to an address where a page may lead there, else only what it is called. */
export function writeLink(uri: string, name: SafeHtml): SafeHtml {
  const address = pageAddress(uri)
  if (address === undefined) return name
  return markup`<a href="${encodeHtml(address)}" rel="noopener noreferrer nofollow" target="_blank">${name}</a>`
}
