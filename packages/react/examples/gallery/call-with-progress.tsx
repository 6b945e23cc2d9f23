import { ToolPart, type ToolPartData } from '@toolblocks/react'
import type { ReactElement } from 'react'

/** The output of `@toolblocks/ai-sdk` while a tool runs: a preliminary result with the last report of progress. */
const PART: ToolPartData = {
  type: 'tool-measure_depths',
  toolCallId: 'call-3',
  state: 'output-available',
  preliminary: true,
  input: { pier: 'east' },
  output: {
    content: [{ type: 'text', text: 'berth 1: 2.5 m\nberth 2: 3.5 m' }],
    isError: false,
    metadata: { progress: { progress: 2, total: 5, message: 'berth 3' } },
  },
}

export function CallWithProgress(): ReactElement {
  return <ToolPart part={PART} />
}
