import type { ToolResult as Result } from '@toolblocks/protocol'
import { ToolPart, type ToolPartData } from '@toolblocks/react'
import type { ReactElement } from 'react'

const output: Result = {
  content: [],
  structuredContent: {
    kind: 'diff',
    data: {
      path: 'book.txt',
      original: 'berth 2: free\n',
      modified: 'berth 2: Ada\n',
      isNew: false,
    },
  },
  isError: false,
}
const PART: ToolPartData = {
  type: 'tool-book_berth',
  toolCallId: 'call-30',
  state: 'output-available',
  input: { berth: 2 },
  output,
}

/** Without a class, the components follow the `color-scheme` of the page. */
export function DarkAndLight(): ReactElement {
  return (
    <>
      <div className="light">
        <ToolPart part={PART} />
      </div>
      <div className="dark">
        <ToolPart part={PART} />
      </div>
    </>
  )
}
