import type { ToolResult as Result } from '@toolblocks/protocol'
import { ToolResult } from '@toolblocks/react'
import type { ReactElement } from 'react'

const lines = Array.from({ length: 60 }, (_, index) => `${index}:00 wind ${(index * 7) % 12} m/s`)

const FOLDED: Result = {
  content: [],
  structuredContent: {
    kind: 'structured',
    summary: 'All measurements',
    display: { collapsed: true },
    data: { lines: lines.slice(0, 3) },
  },
  isError: false,
}
const TALL: Result = {
  content: [],
  structuredContent: {
    kind: 'text',
    display: { maxHeight: 5 },
    data: { content: lines.join('\n') },
  },
  isError: false,
}
const HIDDEN: Result = {
  content: [],
  structuredContent: { kind: 'harbour.state', data: {}, display: { preferredView: 'hidden' } },
  isError: false,
}

export function FoldedAndTallValues(): ReactElement {
  return (
    <>
      <ToolResult result={FOLDED} />
      <ToolResult result={TALL} maxLines={20} lastLines={5} />
      <ToolResult result={HIDDEN} hiddenValues="name" collapsedValues="fold" />
    </>
  )
}
