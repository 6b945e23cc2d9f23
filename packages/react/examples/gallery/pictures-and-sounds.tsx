import type { ToolResult as Result } from '@toolblocks/protocol'
import { ToolResult } from '@toolblocks/react'
import type { ReactElement } from 'react'
import { PICTURE, SIGNAL } from './media.ts'

const RESULT: Result = {
  content: [
    { type: 'image', mimeType: 'image/png', data: PICTURE },
    { type: 'audio', mimeType: 'audio/wav', data: SIGNAL },
  ],
  isError: false,
}

export function PicturesAndSounds(): ReactElement {
  return <ToolResult result={RESULT} />
}
