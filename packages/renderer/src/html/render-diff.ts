import type { SafeHtml } from '@toolblocks/protocol'
import type { ShownChange, ShownPart } from '../show/shown-part.ts'
import { encodeHtml, markup, encodePageText } from './safe-html.ts'
import { type HtmlContext, renderOmitted, renderLines } from './html-context.ts'

const SIGNS: Readonly<Record<ShownChange['change'], string>> = {
  added: '+',
  removed: '-',
  kept: ' ',
  hunk: '',
  note: '',
}

/** Renders the lines of a diff with their numbers, unified or side by side. A button switches. */
export function renderDiff(
  { first, left, last }: Extract<ShownPart, { kind: 'diff' }>,
  { diffs, tallText }: HtmlContext,
): SafeHtml {
  const write = diffs === 'split' ? renderSides : renderUnified
  const end = last.length === 0 ? markup`` : write(last)
  const body = markup`${write(first)}${renderOmitted(left, 'line')}${end}`
  return markup`<tb-diff data-view="${encodeHtml(diffs)}">${renderLines(markup`Changes`, body, { lines: first.length + last.length, tallText })}</tb-diff>`
}

function renderUnified(changes: readonly ShownChange[]): SafeHtml {
  const rows = changes.map((line) => {
    if (isRemark(line)) return renderRemark(line, 4)
    return markup`<tr class="tb-${encodeHtml(line.change)}">${numberCell(line.before)}${numberCell(line.after)}<td class="tb-sign">${encodeHtml(SIGNS[line.change])}</td><td class="tb-line">${renderMarked(line)}</td></tr>`
  })
  return markup`<table class="tb-diff tb-unified"><tbody>${rows}</tbody></table>`
}

function renderSides(changes: readonly ShownChange[]): SafeHtml {
  const rows = pairChanges(changes).map((row) => {
    if ('remark' in row) return renderRemark(row.remark, 4)
    return markup`<tr>${sideCells(row.before, 'before')}${sideCells(row.after, 'after')}</tr>`
  })
  return markup`<table class="tb-diff tb-split"><tbody>${rows}</tbody></table>`
}

/** A row of a diff side by side: a remark over both sides, or a line on one or both. */
export type ChangeRow = { remark: ShownChange } | { before?: ShownChange; after?: ShownChange }

/** Pairs the removed lines of a diff with their replacements, for two sides. */
export function pairChanges(changes: readonly ShownChange[]): readonly ChangeRow[] {
  const rows: ChangeRow[] = []
  let removed: ShownChange[] = []
  let added: ShownChange[] = []
  const flush = (): void => {
    for (let index = 0; index < Math.max(removed.length, added.length); index += 1) {
      const [before, after] = [removed[index], added[index]]
      rows.push({ ...(before && { before }), ...(after && { after }) })
    }
    ;[removed, added] = [[], []]
  }
  for (const line of changes) {
    if (line.change === 'removed') {
      if (added.length > 0) flush()
      removed.push(line)
    } else if (line.change === 'added') added.push(line)
    else {
      flush()
      rows.push(isRemark(line) ? { remark: line } : { before: line, after: line })
    }
  }
  flush()
  return rows
}

function isRemark({ change }: ShownChange): boolean {
  return change === 'hunk' || change === 'note'
}

function renderRemark({ change, text }: ShownChange, columns: number): SafeHtml {
  return markup`<tr class="tb-${encodeHtml(change)}"><td colspan="${columns}">${encodePageText(text)}</td></tr>`
}

function sideCells(line: ShownChange | undefined, side: 'before' | 'after'): SafeHtml {
  if (!line) return markup`<td class="tb-number"></td><td class="tb-line tb-none"></td>`
  return markup`${numberCell(line[side])}<td class="tb-line tb-${encodeHtml(line.change)}">${renderMarked(line)}</td>`
}

function numberCell(number: number | undefined): SafeHtml {
  return markup`<td class="tb-number">${number ?? markup``}</td>`
}

/** Renders a line with its changed words marked. */
function renderMarked({ change, text, marks = [] }: ShownChange): SafeHtml {
  const pieces: SafeHtml[] = []
  let offset = 0
  for (const [start, end] of marks) {
    pieces.push(encodePageText(text.slice(offset, start)))
    const marked = encodePageText(text.slice(start, end))
    pieces.push(change === 'removed' ? markup`<del>${marked}</del>` : markup`<ins>${marked}</ins>`)
    offset = end
  }
  return markup`${pieces}${encodePageText(text.slice(offset))}`
}
