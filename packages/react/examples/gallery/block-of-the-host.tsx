import type { ImageContent, ToolResult as Result } from '@toolblocks/protocol'
import { ToolResult } from '@toolblocks/react'
import { type ReactElement, useState } from 'react'
import { PICTURE } from './media.ts'

/** A picture that a button enlarges. A host checks the type of what it shows, because blocks are unsanitized. */
function Picture({ block: { data, mimeType } }: { block: ImageContent }): ReactElement {
  const [width, setWidth] = useState(80)
  if (mimeType !== 'image/png') return <p>(a picture of another type)</p>
  return (
    <button type="button" onClick={() => setWidth(width === 80 ? 240 : 80)}>
      <img src={`data:image/png;base64,${data}`} alt="Lighthouse, change the size" width={width} />
    </button>
  )
}

const blocks = { image: Picture }
const RESULT: Result = {
  content: [
    { type: 'text', text: 'Press the picture.' },
    { type: 'image', mimeType: 'image/png', data: PICTURE },
  ],
  isError: false,
}

export function BlockOfTheHost(): ReactElement {
  return <ToolResult result={RESULT} blocks={blocks} />
}
