import type { ContentBlock, ToolResult } from '@toolblocks/protocol'
import { cutBlock, describeCut, splitBudget } from './deliver-result.ts'

/** Options of `limitResult`. */
export interface LimitOptions {
  /** Maximum characters (UTF-16 code units) of all texts. The largest are truncated first. */
  budget: number
  /** The name of the tool that reads omitted content, for the notes. Default: no tool. */
  readTool?: string
}

/**
 * Truncates the texts of a result in their middle, for a client that receives blocks. Behind each truncated block, a text says how much is missing. Media
 * are unchanged. Structured content over the budget is omitted if there are blocks. A result within the budget is returned as it is.
 */
export function limitResult(result: ToolResult, { budget, ...options }: LimitOptions): ToolResult {
  const lengths = result.content.map(getLength)
  const structure = 'structuredContent' in result ? JSON.stringify(result.structuredContent) : ''
  const isStructureOver = structure.length > budget && result.content.length > 0
  const share = splitBudget(lengths, budget)
  if (share === Infinity && !isStructureOver) return result
  const content = result.content.flatMap((block, index): readonly ContentBlock[] => {
    const cut = (lengths[index] ?? 0) > share ? cutBlock(block, share) : undefined
    if (!cut) return [block]
    const { text } = describeCut(cut, { index, options, result })
    return [cut.block, { type: 'text', text }]
  })
  const { structuredContent: _omitted, ...rest } = result
  return { ...(isStructureOver ? rest : result), content }
}

function getLength(block: ContentBlock): number {
  if (block.type === 'text') return block.text.length
  if (block.type !== 'resource') return 0
  return (block.formatted ?? block.resource.text ?? '').length
}
