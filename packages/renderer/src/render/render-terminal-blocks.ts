import type { ContentBlock, TerminalText } from '@toolblocks/protocol'
import { renderBlock } from './blocks/render-block.ts'
import { createRenderContext } from './render-context.ts'
import type { RenderOptions } from './render-options.ts'
import { stackParts } from './text/stack-parts.ts'

/** Renders blocks as `renderTerminal` does, without a word on the result they come from: the `RenderBlocks` port. */
export function renderTerminalBlocks(
  blocks: readonly ContentBlock[],
  options: RenderOptions = {},
): TerminalText {
  const context = createRenderContext(options)
  return stackParts(blocks.map((block) => renderBlock(block, context)))
}
