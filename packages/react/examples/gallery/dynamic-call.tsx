import { ToolPart } from '@toolblocks/react'
import type { ReactElement } from 'react'

/** A tool that was not known when the program was written, such as one of an MCP server. */
export function DynamicCall(): ReactElement {
  return (
    <ToolPart
      part={{
        type: 'dynamic-tool',
        toolName: 'harbour_list_berths',
        title: 'List the berths',
        toolCallId: 'call-10',
        state: 'output-available',
        input: {},
        output: 'Berths 2 and 5 are free.',
      }}
    />
  )
}
