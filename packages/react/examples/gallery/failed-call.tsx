import { ToolPart } from '@toolblocks/react'
import type { ReactElement } from 'react'

export function FailedCall(): ReactElement {
  return (
    <ToolPart
      part={{
        type: 'tool-get_weather',
        toolCallId: 'call-8',
        state: 'output-error',
        input: { station: 'pier' },
        errorText: 'The weather station does not answer.',
      }}
    />
  )
}
