import { ToolPart } from '@toolblocks/react'
import type { ReactElement } from 'react'

export function RunningCall(): ReactElement {
  return (
    <ToolPart
      part={{
        type: 'tool-list_berths',
        toolCallId: 'call-2',
        state: 'input-available',
        input: { pier: 'east', free: true },
      }}
    />
  )
}
