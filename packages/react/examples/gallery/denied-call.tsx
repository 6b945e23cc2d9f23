import { ToolPart } from '@toolblocks/react'
import type { ReactElement } from 'react'

export function DeniedCall(): ReactElement {
  return (
    <ToolPart
      part={{
        type: 'tool-book_berth',
        toolCallId: 'call-9',
        state: 'output-denied',
        input: { boat: 'Ada', berth: 2 },
        approval: { id: 'approval-9', approved: false, reason: 'Berth 2 is too shallow.' },
      }}
    />
  )
}
