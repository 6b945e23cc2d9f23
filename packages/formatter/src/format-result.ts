import type { ModelText, ToolResult } from '@toolblocks/protocol'
import { formatBlock } from './blocks/format-block.ts'
import { describeFailure, describeSkipped } from './describe-outcome.ts'
import type { FormatOptions } from './format-options.ts'
import { toModelText } from './model-text.ts'
import { chooseDelivered } from './structured/choose-delivered.ts'
import { formatStructured } from './structured/format-structured.ts'

/**
 * Writes a whole result for a model (specs/000): its blocks in their order, structured content by policy, and one line each
 * for what a model must know of it: that it is an error, and that blocks were skipped. Parts are separated by an empty line.
 */
export function formatResult(result: ToolResult, options: FormatOptions = {}): ModelText {
  const { content, structured } = chooseDelivered(result, options.structured ?? 'auto')
  const parts = [
    describeFailure(result),
    ...content.map((block) => formatBlock(block, options)),
    structured ? formatStructured(result.structuredContent) : undefined,
    describeSkipped(result),
  ].filter((part) => part !== undefined)
  return toModelText(parts.length === 0 ? '[The tool answered with nothing.]' : parts.join('\n\n'))
}
