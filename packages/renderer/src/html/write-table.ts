import type { SafeHtml } from '@toolblocks/protocol'
import { formatCount } from '../show/show-facts.ts'
import type { FieldType, ShownColumn, ShownNode, ShownPart } from '../show/shown-part.ts'
import {
  encodeHtml,
  markup,
  encodePageAddress,
  encodePageLine,
  encodePageText,
} from './safe-html.ts'
import { writeLeft, writeScrolled } from './write-context.ts'

/** Rows under their columns; a script adds sorting and a filter. */
export function writeTable({
  columns,
  rows,
  left,
}: Extract<ShownPart, { kind: 'table' }>): SafeHtml {
  const labels = columns.map(
    (column) =>
      markup`<th scope="col" class="tb-to-${encodeHtml(column.align)}" data-type="${encodeHtml(column.type ?? 'string')}">${encodePageLine(column.label)}</th>`,
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
function writeField(text: string, type: FieldType | undefined): SafeHtml {
  if (type === 'path') return markup`<code>${encodePageText(text)}</code>`
  return type === 'url' ? writeLink(text, encodePageLine(text)) : encodePageText(text)
}

/** Something that leads to an address where a page may lead there, else only what it is called. */
export function writeLink(uri: string, name: SafeHtml): SafeHtml {
  const address = encodePageAddress(uri)
  if (address === undefined) return name
  return markup`<a href="${encodeHtml(address)}" rel="noopener noreferrer nofollow" target="_blank">${name}</a>`
}

/** Levels of a tree that are open at first. */
const OPEN = 2

/** A nested value, each level of which folds, also without a script. */
export function writeTree(top: ShownNode): SafeHtml {
  return markup`<tb-tree><ul class="tb-tree">${writeNode(top, 0)}</ul></tb-tree>`
}

function writeNode(
  { key, type, text, fieldType, nodes, left }: ShownNode,
  depth: number,
): SafeHtml {
  const name =
    key === undefined ? markup`` : markup`<span class="tb-key">${encodePageLine(key)}</span>: `
  if (nodes.length === 0) {
    const value = type === 'string' ? writeField(text, fieldType) : encodePageText(text)
    return markup`<li>${name}<span class="tb-value tb-${encodeHtml(type)}">${value}</span>${writeMore(left)}</li>`
  }
  const open = depth < OPEN ? markup` open` : markup``
  const inner = nodes.map((node) => writeNode(node, depth + 1))
  const more = left === 0 ? markup`` : markup`<li>${writeMore(left)}</li>`
  return markup`<li><details${open}><summary>${name}<span class="tb-size">${encodePageText(text)}</span></summary><ul>${inner}${more}</ul></details></li>`
}

function writeMore(left: number): SafeHtml {
  return left === 0
    ? markup``
    : markup`<span class="tb-left">… ${encodeHtml(formatCount(left, 'more', 'more'))}</span>`
}
