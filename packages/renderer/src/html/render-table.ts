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
import { type HtmlContext, renderOmitted, renderScrolled } from './html-context.ts'

/** Renders rows with columns. A script adds sorting and a filter. */
export function renderTable({
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
      markup`<tr>${columns.map((column, index) => renderCell(row[index] ?? '', column))}</tr>`,
  )
  const none = columns.length === 0 ? markup`<p class="tb-left">(no columns)</p>` : markup``
  const table = markup`<table class="tb-table"><thead><tr>${labels}</tr></thead><tbody>${body}</tbody></table>`
  const isEmpty = rows.length + left.rows === 0
  const empty = isEmpty ? markup`<p class="tb-left">(no rows)</p>` : markup``
  return markup`<tb-table>${renderScrolled(markup`Table`, table, markup`tb-high-40`)}${none}${empty}${renderOmitted(left.rows, 'row')}${renderOmitted(left.columns, 'column')}</tb-table>`
}

function renderCell(text: string, { align, type }: ShownColumn): SafeHtml {
  return markup`<td class="tb-to-${encodeHtml(align)}">${renderField(text, type)}</td>`
}

/** Renders text of a hinted type: an address as a link, a path in a code font. */
function renderField(text: string, type: FieldType | undefined): SafeHtml {
  if (type === 'path') return markup`<code>${encodePageText(text)}</code>`
  return type === 'url' ? renderLink(text, encodePageLine(text)) : encodePageText(text)
}

/** Renders a link if a page may link to the address, else only its name. */
export function renderLink(uri: string, name: SafeHtml): SafeHtml {
  const address = encodePageAddress(uri)
  if (address === undefined) return name
  return markup`<a href="${encodeHtml(address)}" rel="noopener noreferrer nofollow" target="_blank">${name}</a>`
}

/** Levels of a tree that are open at first. */
const OPEN = 2

/** Renders a nested value. Each level folds, also without a script. */
export function renderTree(top: ShownNode, { tallText }: Pick<HtmlContext, 'tallText'>): SafeHtml {
  const open = tallText === 'whole' ? Infinity : OPEN
  return markup`<tb-tree><ul class="tb-tree">${renderNode(top, open)}</ul></tb-tree>`
}

function renderNode(
  { key, type, text, fieldType, nodes, left }: ShownNode,
  levels: number,
): SafeHtml {
  const name =
    key === undefined ? markup`` : markup`<span class="tb-key">${encodePageLine(key)}</span>: `
  if (nodes.length === 0) {
    const value = type === 'string' ? renderField(text, fieldType) : encodePageText(text)
    return markup`<li>${name}<span class="tb-value tb-${encodeHtml(type)}">${value}</span>${renderMore(left)}</li>`
  }
  const open = levels > 0 ? markup` open` : markup``
  const inner = nodes.map((node) => renderNode(node, levels - 1))
  const more = left === 0 ? markup`` : markup`<li>${renderMore(left)}</li>`
  return markup`<li><details${open}><summary>${name}<span class="tb-size">${encodePageText(text)}</span></summary><ul>${inner}${more}</ul></details></li>`
}

function renderMore(left: number): SafeHtml {
  return left === 0
    ? markup``
    : markup`<span class="tb-left">… ${encodeHtml(formatCount(left, 'more', 'more'))}</span>`
}
