import type { ToolResult as Result } from '@toolblocks/protocol'
import { ToolResult } from '@toolblocks/react'
import type { ReactElement } from 'react'

const RESULT: Result = {
  content: [
    { type: 'text', text: 'Three boats arrived.\n\u001B[32mAda\u001B[0m is at berth 1.' },
    { type: 'text', text: '<b>Text</b> of a tool is text, whatever it contains.' },
  ],
  isError: false,
}

export function TextBlocks(): ReactElement {
  return <ToolResult result={RESULT} />
}
