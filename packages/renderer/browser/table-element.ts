import { filterRows, sortRows } from '../src/html/sort-rows.ts'
import { defineElement, makeButton, makeElement } from './make-element.ts'

/** A table with fewer rows needs no filter. */
const FEW = 6

/** Lets a reader sort a table by its columns and filter it by words. */
export function defineTable(): void {
  defineElement('tb-table', (element) => {
    const table = element.querySelector('table')
    const body = table?.tBodies[0]
    if (!table || !body) return
    const heads = [...table.querySelectorAll('thead th')]
    for (const [index, head] of heads.entries()) makeSortable(head, index, { body, heads })
    if (body.rows.length >= FEW) element.prepend(makeFilter(body))
  })
}

function makeSortable(
  head: Element,
  index: number,
  { body, heads }: { body: HTMLTableSectionElement; heads: readonly Element[] },
): void {
  const button = makeButton(head.textContent, () => {
    const order = head.getAttribute('aria-sort') === 'ascending' ? 'descending' : 'ascending'
    for (const other of heads) other.removeAttribute('aria-sort')
    head.setAttribute('aria-sort', order)
    for (const other of heads) mark(other)
    body.append(...sortRows([...body.rows], (row) => row.cells[index]?.textContent ?? '', order))
  })
  head.replaceChildren(button)
}

function mark(head: Element): void {
  const button = head.querySelector('button')
  if (!button) return
  const order = head.getAttribute('aria-sort')
  const sign = order === null ? '' : order === 'ascending' ? ' ▲' : ' ▼'
  button.textContent = button.textContent.replace(/ [▲▼]$/, '') + sign
}

function makeFilter(body: HTMLTableSectionElement): HTMLElement {
  const bar = makeElement('div', { className: 'tb-bar' })
  const input = makeElement('input')
  input.type = 'search'
  input.placeholder = 'Filter rows'
  input.setAttribute('aria-label', 'Filter rows')
  const count = makeElement('output')
  input.addEventListener('input', () => {
    const matches = new Set(filterRows([...body.rows], (row) => row.textContent, input.value))
    for (const row of body.rows) row.hidden = !matches.has(row)
    count.textContent =
      input.value.trim() === '' ? '' : `${matches.size} of ${body.rows.length} rows`
  })
  bar.append(input, count)
  return bar
}
