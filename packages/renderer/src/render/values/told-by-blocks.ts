import type { ContentBlock } from '@toolblocks/protocol'

/** Whether a text is shown already, as that of a block. */
export function isToldBy(content: readonly ContentBlock[], text: string): boolean {
  const told = text.trimEnd()
  return content.some((block) => textOf(block)?.trimEnd() === told)
}

function textOf(block: ContentBlock): string | undefined {
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
