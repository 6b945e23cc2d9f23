import type { FileListValue, ToolResult as Result } from '@toolblocks/protocol'
import { ToolResult } from '@toolblocks/react'
import type { ReactElement } from 'react'

const FILES: FileListValue = {
  kind: 'file_list',
  data: {
    path: '/harbour/charts',
    entries: [
      { name: 'archive', type: 'directory' },
      { name: 'bay.svg', type: 'file', size: 48_213, modified: '2026-05-06T07:00:00Z' },
      { name: 'latest.svg', type: 'symlink' },
      { name: 'pier.svg', type: 'file', size: 2048 },
    ],
  },
}
const RESULT: Result = { content: [], structuredContent: FILES, isError: false }

export function FileList(): ReactElement {
  // Paths inside of the workspace are shown relative to it.
  return <ToolResult result={RESULT} root="/harbour" />
}
