import type { TableValue, ToolResult as Result } from '@toolblocks/protocol'
import { ToolResult } from '@toolblocks/react'
import type { ReactElement } from 'react'

const BOATS: TableValue = {
  kind: 'table',
  summary: 'Boats in the harbour',
  data: {
    columns: [
      { key: 'boat', label: 'Boat' },
      { key: 'length', label: 'Length, m', type: 'number' },
      { key: 'arrived', label: 'Arrived', type: 'date' },
      { key: 'paid', label: 'Paid', type: 'boolean' },
    ],
    rows: [
      { boat: 'Ada', length: 9.4, arrived: '2026-05-02', paid: true },
      { boat: 'Heron', length: 12, arrived: '2026-05-04', paid: false },
      { boat: 'Tern', length: 7.1, arrived: '2026-04-28', paid: true },
      { boat: 'Puffin', length: 6.5, arrived: '2026-05-01', paid: true },
      { boat: 'Petrel', length: 10.2, arrived: '2026-05-05', paid: false },
      { boat: 'Skua', length: 8.8, arrived: '2026-04-30', paid: true },
    ],
  },
}
const RESULT: Result = { content: [], structuredContent: BOATS, isError: false }

export function Table(): ReactElement {
  // The heads of the columns sort; a filter appears from a few rows on.
  return <ToolResult result={RESULT} />
}
