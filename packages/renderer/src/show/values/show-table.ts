import type { TableValue } from '@toolblocks/protocol'
import type { ValueContext } from '../show-context.ts'
import type { ShownPart } from '../shown-part.ts'
import { toJson } from './to-json.ts'

const MOST_COLUMNS = 30

/** Rows under columns, each cell as text; what is left out is counted. */
export function showTable(
  { data: { columns, rows } }: TableValue,
  { mostRows }: ValueContext,
): readonly ShownPart[] {
  const shownColumns = columns.slice(0, mostRows === Infinity ? Infinity : MOST_COLUMNS)
  const shownRows = rows.slice(0, mostRows)
  return [
    {
      kind: 'table',
      columns: shownColumns.map(({ key, label = key, type, align }) => ({
        label,
        align: align ?? (type === 'number' ? 'right' : 'left'),
      })),
      rows: shownRows.map((row) =>
        shownColumns.map(({ key }) => textOf(Object.hasOwn(row, key) ? row[key] : undefined)),
      ),
      left: {
        rows: rows.length - shownRows.length,
        columns: columns.length - shownColumns.length,
      },
    },
  ]
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : value === null ? '' : (toJson(value) ?? '')
}
