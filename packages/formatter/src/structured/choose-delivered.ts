import {
  blocksOfSameJson,
  isToolResultValue,
  type ContentBlock,
  type ToolResult,
} from '@toolblocks/protocol'
import type { StructuredPolicy } from '../format-options.ts'

/** What of a result a model is given. */
export interface Delivered {
  content: readonly ContentBlock[]
  structured: boolean
}

/** Decides between blocks and structured content; media and links are always given. */
export function chooseDelivered(result: ToolResult, policy: StructuredPolicy): Delivered {
  const { content } = result
  if (!('structuredContent' in result)) return { content, structured: false }
  switch (policy) {
    case 'content':
      return { content, structured: content.length === 0 }
    case 'both':
      return { content, structured: true }
    case 'structured':
      return { content: content.filter((block) => !isText(block)), structured: true }
    case 'auto':
      return { content, structured: !isToldByText(content, result.structuredContent) }
  }
}

function isToldByText(content: readonly ContentBlock[], value: unknown): boolean {
  if (blocksOfSameJson(content, value).size > 0) return true
  return isToolResultValue(value) && content.some(isText)
}

/** Blocks that say in words what structured content says in data. */
function isText(block: ContentBlock): boolean {
  return block.type === 'text' || (block.type === 'resource' && block.resource.text !== undefined)
}
