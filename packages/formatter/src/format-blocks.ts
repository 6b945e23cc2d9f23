import type { ContentBlock, ModelText } from '@toolblocks/protocol'
import { formatBlock } from './blocks/format-block.ts'
import type { FormatOptions } from './format-options.ts'
import { toModelText } from './model-text.ts'
import { closePart } from './parts.ts'

/**
 * Writes blocks for a model, as `formatResult` does, without a word on the result they come from: for example what stands before a
 * question. Each block is closed, so that what a host writes behind them is in none of them.
 */
export function formatBlocks(
  blocks: readonly ContentBlock[],
  options: FormatOptions = {},
): ModelText {
  const texts = blocks.map((block) => closePart(formatBlock(block, options)))
  return toModelText(texts.join('\n\n'))
}
