import { type ContentBlock, fenceText } from '@toolblocks/protocol'
import type { AcpBlock } from './acp-content.ts'

/** A block as it is there; plain text in a fence, because clients read text as Markdown. */
export function toAcpBlock(block: ContentBlock): AcpBlock {
  switch (block.type) {
    case 'text': {
      const { text, mimeType } = block
      return { type: 'text', text: mimeType === 'text/markdown' ? text : fenceText(text) }
    }
    case 'image':
    case 'audio': {
      const { type, data, mimeType } = block
      return { type, data, mimeType }
    }
    case 'resource_link': {
      const { type, uri, name, title, description, mimeType, size } = block
      return {
        type,
        uri,
        name,
        ...(title !== undefined && { title }),
        ...(description !== undefined && { description }),
        ...(mimeType !== undefined && { mimeType }),
        ...(size !== undefined && { size }),
      }
    }
    case 'resource': {
      const { uri, mimeType, text, blob } = block.resource
      const type = mimeType === undefined ? {} : { mimeType }
      if (text !== undefined) return { type: 'resource', resource: { uri, text, ...type } }
      return { type: 'resource', resource: { uri, blob, ...type } }
    }
    case 'question':
      return { type: 'text', text: fenceText(`? ${block.question.text}`) }
  }
}
