import type { ImageValue, ToolResult as Result } from '@toolblocks/protocol'
import { ToolResult } from '@toolblocks/react'
import type { ReactElement } from 'react'
import { PICTURE } from './media.ts'

const LIGHTHOUSE: ImageValue = {
  kind: 'image',
  mimeType: 'image/png',
  summary: 'The camera at 22:10',
  data: { base64: PICTURE, alt: 'The lighthouse at night. Its light points to the west.' },
}
const RESULT: Result = { content: [], structuredContent: LIGHTHOUSE, isError: false }

export function PictureWithAName(): ReactElement {
  return <ToolResult result={RESULT} />
}
