import type { DiffValue, ToolResult as Result } from '@toolblocks/protocol'
import { ToolResult } from '@toolblocks/react'
import type { ReactElement } from 'react'

const CHANGE: DiffValue = {
  kind: 'diff',
  summary: 'Ada moves to berth 2',
  data: {
    path: 'harbour/book.txt',
    original: 'berth 1: Ada\nberth 2: free\nberth 3: Heron\nberth 4: free\n',
    modified: 'berth 1: free\nberth 2: Ada\nberth 3: Heron\nberth 4: free\n',
    isNew: false,
  },
}
const RESULT: Result = { content: [], structuredContent: CHANGE, isError: false }

export function Diff(): ReactElement {
  // A button switches between the two layouts.
  return <ToolResult result={RESULT} diffs="unified" />
}
