import type { ModelText, ToolResult } from '@toolblocks/protocol'
import { formatBlock } from './blocks/format-block.ts'
import type { FormatOptions } from './format-options.ts'
import { hostWords, isBlank } from './host-words.ts'
import { toModelText } from './model-text.ts'
import { joinParts } from './parts.ts'
import { chooseDelivered } from './structured/choose-delivered.ts'
import { formatStructured } from './structured/format-structured.ts'

/**
 * Writes a whole result for a model (`docs/protocol.md`, "What a model gets"): first one paragraph for what the model must know of the result, if
 * there is something, then the blocks in their order and structured content by policy. Parts are separated by an empty line.
 */
export function formatResult(result: ToolResult, options: FormatOptions = {}): ModelText {
  const { content, structured } = chooseDelivered(result, options.structured ?? 'auto')
  const body = joinParts([
    ...content.map((block) => formatBlock(block, options)),
    ...formatStructured(result.structuredContent, structured),
  ])
  const words = hostWords(result, body)
  const texts = [...(words === '' ? [] : [words]), ...(isBlank(body) ? [] : [body.text])]
  return toModelText(texts.join('\n\n'))
}
