import type { ContentBlock } from './content-block.ts'

/** The text that a block carries: a text, or a resource that is one. */
export function textOf(block: ContentBlock): string | undefined {
  switch (block.type) {
    case 'text':
      return block.text
    case 'resource':
      return block.resource.text
    case 'image':
    case 'audio':
    case 'resource_link':
    case 'question':
      return undefined
  }
}
