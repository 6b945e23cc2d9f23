import type { ContentBlock } from '@toolblocks/protocol'
import { cutText } from './cut-text.ts'

/** A block with less text, and how much of it is left. */
export interface CutBlock {
  block: ContentBlock
  /** Characters (UTF-16 code units) that are still there. */
  kept: number
  /** How many there were. */
  of: number
}

/** Cuts the text of a block in its middle; `undefined` for one without text, which is one line for a model anyway. */
export function cutBlock(block: ContentBlock, limit: number): CutBlock | undefined {
  if (block.type === 'text') {
    const { text, kept } = cutText(block.text, limit)
    return { block: { ...block, text }, kept, of: block.text.length }
  }
  if (block.type !== 'resource') return undefined
  const { resource, formatted } = block
  if (formatted !== undefined) {
    const { text, kept } = cutText(formatted, limit)
    return { block: { ...block, formatted: text }, kept, of: formatted.length }
  }
  if (resource.text === undefined) return undefined
  const { text, kept } = cutText(resource.text, limit)
  return { block: { ...block, resource: { ...resource, text } }, kept, of: resource.text.length }
}
