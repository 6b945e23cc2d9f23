import { pairChanges } from '../src/html/pair-changes.ts'
import { defineElement, makeButton, makeElement } from './make-element.ts'

/** Lets a reader switch a diff between unified and side by side. */
export function defineDiff(): void {
  defineElement('tb-diff', (element) => {
    const tables = [...element.querySelectorAll<HTMLTableElement>('table.tb-unified')]
    if (tables.length === 0) return
    let sides: readonly HTMLTableElement[] | undefined
    const bar = makeElement('div', { className: 'tb-bar' })
    const button = makeButton('Side by side', (pressed) => {
      sides ??= tables.map(layOutSides)
      const isSplit = element.dataset['view'] !== 'split'
      for (const [index, table] of tables.entries()) {
        const other = sides[index]
        if (other) (isSplit ? table : other).replaceWith(isSplit ? other : table)
      }
      element.dataset['view'] = isSplit ? 'split' : 'unified'
      pressed.setAttribute('aria-pressed', String(isSplit))
    })
    button.setAttribute('aria-pressed', 'false')
    bar.append(button)
    element.prepend(bar)
  })
}

/** Copies the rows of a table into pairs: removed lines beside their replacements. */
function layOutSides(table: HTMLTableElement): HTMLTableElement {
  const sides = makeElement('table', { className: 'tb-diff tb-split' })
  const body = sides.createTBody()
  const lines = [...table.rows].map((row) => ({ change: row.className.replace('tb-', ''), row }))
  for (const pair of pairChanges(lines))
    if ('remark' in pair) body.append(pair.remark.row.cloneNode(true))
    else body.insertRow().append(...getSide(pair.before?.row, 0), ...getSide(pair.after?.row, 1))
  return sides
}

function getSide(row: HTMLTableRowElement | undefined, side: 0 | 1): readonly HTMLElement[] {
  const number = makeElement('td', { className: 'tb-number' })
  const line = makeElement('td', {
    className: row ? `tb-line ${row.className}` : 'tb-line tb-none',
  })
  number.textContent = row?.cells[side]?.textContent ?? ''
  const text = row?.cells[3]
  if (text) line.append(...[...text.childNodes].map((node) => node.cloneNode(true)))
  return [number, line]
}
