import type { ToolResult as Result } from '@toolblocks/protocol'
import { ToolResult } from '@toolblocks/react'
import type { ReactElement } from 'react'

const RESULT: Result = {
  content: [{ type: 'text', text: 'The weather station does not answer.' }],
  isError: true,
  metadata: {
    outcome: 'failed',
    stderr: 'connecting to pier.local\nno route to host\n',
    warnings: [{ path: '/content/1', message: 'A block of the unknown type "hologram".' }],
  },
  _meta: { 'computer.jp/error': { transient: true, trace: ['connection refused'] } },
}

export function FailedResult(): ReactElement {
  return <ToolResult result={RESULT} stderr="show" />
}
