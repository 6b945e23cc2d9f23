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
  let removed: HTMLTableRowElement[] = []
  let added: HTMLTableRowElement[] = []
  const flush = (): void => {
    for (let index = 0; index < Math.max(removed.length, added.length); index += 1) {
      const row = body.insertRow()
      row.append(...getSide(removed[index], 0), ...getSide(added[index], 1))
    }
    ;[removed, added] = [[], []]
  }
  for (const row of table.rows) {
    if (row.className === 'tb-removed') {
      if (added.length > 0) flush()
      removed.push(row)
    } else if (row.className === 'tb-added') added.push(row)
    else {
      flush()
      if (row.className === 'tb-kept')
        body.insertRow().append(...getSide(row, 0), ...getSide(row, 1))
      else body.append(row.cloneNode(true))
    }
  }
  flush()
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
