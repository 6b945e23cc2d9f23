import { ToolPart, type ToolPartData } from '@toolblocks/react'
import type { ReactElement } from 'react'

/** The output is a `ToolResult`. */
const BERTHS: ToolPartData = {
  type: 'tool-list_berths',
  toolCallId: 'call-6',
  state: 'output-available',
  input: { pier: 'east' },
  output: {
    content: [],
    structuredContent: {
      kind: 'table',
      data: {
        columns: [{ key: 'berth', type: 'number' }, { key: 'boat' }],
        rows: [
          { berth: 1, boat: 'Ada' },
          { berth: 2, boat: null },
        ],
      },
    },
    isError: false,
  },
}

/** The output may be any value, because other tools are in the same conversation. */
const TIDE: ToolPartData = {
  type: 'tool-get_tide',
  toolCallId: 'call-7',
  state: 'output-available',
  input: {},
  output: { high: '12:40', low: '18:55' },
}

export function FinishedCall(): ReactElement {
  return (
    <>
      <ToolPart part={BERTHS} />
      <ToolPart part={TIDE} />
    </>
  )
}
