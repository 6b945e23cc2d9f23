import type { StructuredValue, ToolResult as Result } from '@toolblocks/protocol'
import { ToolResult } from '@toolblocks/react'
import type { ReactElement } from 'react'

const WEATHER: StructuredValue = {
  kind: 'structured',
  summary: 'Weather at the pier',
  display: { preferredView: 'tree', fieldTypes: { measured: 'date' } },
  data: {
    station: 'pier',
    measured: '2026-05-06T07:00:00Z',
    wind: { speed: 7.5, gusts: [9, 11.2], direction: 'NW' },
    warnings: [],
    isOpen: true,
    wave: null,
  },
}
const RESULT: Result = { content: [], structuredContent: WEATHER, isError: false }

export function Tree(): ReactElement {
  return <ToolResult result={RESULT} />
}
