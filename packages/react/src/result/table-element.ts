import type { ShownColumn } from '@toolblocks/renderer/internal'
import {
  filterRows,
  type PageText,
  renderCells,
  sanitizePageLine,
  sortRows,
} from '@toolblocks/renderer/internal/html'
import {
  createElement as h,
  memo,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useTakeOver } from './hydration.ts'
import { useNearby } from './nearby.ts'
import { toReact } from './page-element.ts'
import { type PartContext, renderScrolled } from './part-context.ts'

type Row = readonly string[]

/** A table with fewer rows needs no filter. */
const FEW = 6

/** The rows of a table that are shown or left out together. */
const ROWS_OF_CHUNK = 100

interface Sorting {
  column: number
  order: 'ascending' | 'descending'
}

/** Rows under columns, with sorting and a filter. Of many rows, only those near the visible ones are elements of the page. */
export function TableElement({
  label,
  columns,
  rows,
  left,
  context,
}: {
  label: PageText
  columns: readonly ShownColumn[]
  rows: readonly Row[]
  /** What is omitted, and other remarks. */
  left: ReactNode
  context: PartContext
}): ReactElement {
  const [sorting, setSorting] = useState<Sorting>()
  const [filter, setFilter] = useState('')
  const input = useRef<HTMLInputElement>(null)
  useTakeOver(() => setFilter(input.current?.value ?? ''))
  const visibleRows = useMemo(() => chooseRows(rows, filter, sorting), [rows, filter, sorting])
  const head = columns.map((column, index) =>
    renderHead(column, index, sorting?.column === index ? sorting.order : undefined, setSorting),
  )
  const chunks = Array.from({ length: Math.ceil(visibleRows.length / ROWS_OF_CHUNK) }, (_, index) =>
    h(RowsOfChunk, {
      key: index,
      columns,
      rows: visibleRows.slice(index * ROWS_OF_CHUNK, (index + 1) * ROWS_OF_CHUNK),
      start: index * ROWS_OF_CHUNK,
      isOnly: context.extent === 'whole' || visibleRows.length <= ROWS_OF_CHUNK,
    }),
  )
  const table = h(
    'table',
    { className: 'tb-table', 'aria-rowcount': visibleRows.length + 1 },
    h('thead', null, h('tr', { 'aria-rowindex': 1 }, head)),
    chunks,
  )
  return h(
    'div',
    { className: 'tb-rows' },
    rows.length < FEW
      ? null
      : renderFilter(
          input,
          { filter, setFilter },
          `${visibleRows.length} of ${rows.length.toLocaleString('en')} rows`,
        ),
    toReact(renderScrolled(label, { own: table }, context)),
    left,
  )
}

function chooseRows(
  rows: readonly Row[],
  filter: string,
  sorting: Sorting | undefined,
): readonly Row[] {
  const matches = filterRows(rows, (row) => row.join('\n'), filter)
  if (!sorting) return matches
  return sortRows(matches, (row) => row[sorting.column] ?? '', sorting.order)
}

const ARROWS = { ascending: ' ▲', descending: ' ▼' } as const

function renderHead(
  { label, align }: ShownColumn,
  index: number,
  order: Sorting['order'] | undefined,
  setSorting: (sorting: Sorting) => void,
): ReactElement {
  const next = order === 'ascending' ? 'descending' : 'ascending'
  return h(
    'th',
    { key: index, scope: 'col', 'data-align': align, 'aria-sort': order },
    h(
      'button',
      { type: 'button', onClick: () => setSorting({ column: index, order: next }) },
      sanitizePageLine(label),
      h('span', { 'aria-hidden': true }, order === undefined ? '' : ARROWS[order]),
    ),
  )
}

function renderFilter(
  input: RefObject<HTMLInputElement | null>,
  { filter, setFilter }: { filter: string; setFilter: (filter: string) => void },
  countText: string,
): ReactElement {
  return h(
    'div',
    { className: 'tb-bar' },
    h('input', {
      ref: input,
      type: 'search',
      value: filter,
      placeholder: 'Filter rows',
      'aria-label': 'Filter rows',
      onChange: ({ target }: { target: HTMLInputElement }) => setFilter(target.value),
    }),
    h('output', null, filter.trim() === '' ? '' : countText),
  )
}

interface RowChunk {
  columns: readonly ShownColumn[]
  rows: readonly Row[]
  /** The number of rows before these. */
  start: number
  /** Whether the rows are always shown. */
  isOnly: boolean
}

function isSameChunk(before: RowChunk, after: RowChunk): boolean {
  return (
    before.columns === after.columns &&
    before.isOnly === after.isOnly &&
    before.rows.length === after.rows.length &&
    before.rows.every((row, index) => row === after.rows[index])
  )
}

/** Some rows, or a placeholder as tall as they are. */
const RowsOfChunk = memo(function RowsOfChunk({
  columns,
  rows,
  start,
  isOnly,
}: RowChunk): ReactElement {
  const element = useRef<HTMLTableSectionElement>(null)
  const { isNear, height } = useNearby(element, start === 0)
  if (!isOnly && !isNear)
    return h(
      'tbody',
      { ref: element, 'aria-hidden': true },
      h(
        'tr',
        null,
        h('td', {
          className: 'tb-away',
          colSpan: columns.length,
          ...(height !== undefined && { style: { height } }),
        }),
      ),
    )
  const renderedRows = rows.map((row, index) =>
    h(
      'tr',
      { key: index, 'aria-rowindex': start + index + 2 },
      toReact(renderCells(row, columns, { align: alignCell })),
    ),
  )
  return h('tbody', { ref: element }, renderedRows)
}, isSameChunk)

/** Returns the attributes of a cell of a column. */
export function alignCell(align: ShownColumn['align'] | undefined): { 'data-align'?: string } {
  return align === undefined ? {} : { 'data-align': align }
}
