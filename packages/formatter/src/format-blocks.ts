import type { ContentBlock, ModelText } from '@toolblocks/protocol'
import { formatBlock } from './blocks/format-block.ts'
import type { FormatOptions } from './format-options.ts'
import { toModelText } from './model-text.ts'

/** Writes blocks for a model, as `formatResult` does, without a word on the result they come from. */
export function formatBlocks(
  blocks: readonly ContentBlock[],
  options: FormatOptions = {},
): ModelText {
  return toModelText(blocks.map((block) => formatBlock(block, options)).join('\n\n'))
}
