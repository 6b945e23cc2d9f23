import { ToolPart } from '@toolblocks/react'
import type { ReactElement } from 'react'

export function AllowedCall(): ReactElement {
  return (
    <ToolPart
      part={{
        type: 'tool-book_berth',
        toolCallId: 'call-5',
        state: 'approval-responded',
        input: { boat: 'Ada', berth: 2 },
        approval: { id: 'approval-5', approved: true },
      }}
    />
  )
}
