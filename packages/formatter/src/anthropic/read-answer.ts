import { isJsonObject, type JsonObject, textOfValue } from '@toolblocks/protocol'
import type { ModelAnswer, ModelCall } from '../conversation/model-request.ts'
import { type KeptPart, keepParts } from '../turns/kept-parts.ts'
import { readArguments } from '../tools/read-arguments.ts'
import type { ToolNames } from '../tools/tool-names.ts'
import { ANTHROPIC } from './to-request.ts'

/** A message of Anthropic's, whole; a block of a kind that is not known here is kept and given back. */
export interface AnthropicAnswer {
  content: readonly { type: string }[]
}

/** Reads what a model said, in the names of the request that it answers; what Anthropic wants back is kept with it. */
export function readAnswer({ content }: AnthropicAnswer, names?: ToolNames): ModelAnswer {
  const blocks = content.filter(isJsonObject)
  const calls: ModelCall[] = []
  const parts = blocks.map((block): KeptPart => {
    if (block['type'] !== 'tool_use') return { kind: 'own', part: block }
    calls.push(readCall(block, names))
    return { kind: 'call', index: calls.length - 1 }
  })
  const thoughts = textsOf(blocks, 'thinking', 'thinking')
  return {
    role: 'assistant',
    content: textsOf(blocks, 'text', 'text').map((text) => ({ type: 'text', text })),
    ...(thoughts.length > 0 && { reasoning: thoughts.join('\n\n') }),
    calls,
    ...(!blocks.every(isPlain) && { _meta: keepParts(ANTHROPIC, parts.filter(isFull)) }),
  }
}

function readCall(block: JsonObject, names: ToolNames | undefined): ModelCall {
  const { type: _, id, name, input, ...extras } = block
  const said = {
    name: textOfValue(name),
    arguments: isJsonObject(input) ? input : readArguments(typeof input === 'string' ? input : ''),
  }
  return {
    id: textOfValue(id),
    ...(names?.fromProvider(said) ?? said),
    ...(Object.keys(extras).length > 0 && { _meta: { [ANTHROPIC]: extras } }),
  }
}

function textsOf(blocks: readonly JsonObject[], type: string, key: string): readonly string[] {
  return blocks.flatMap((block) => {
    const text = block['type'] === type ? block[key] : undefined
    return typeof text === 'string' && text !== '' ? [text] : []
  })
}

/** What can be written anew from what was read of it. */
function isPlain(block: JsonObject): boolean {
  return (
    block['type'] === 'tool_use' ||
    (block['type'] === 'text' && (block['citations'] === undefined || block['citations'] === null))
  )
}

/** An empty text is refused when it comes back. */
function isFull(part: KeptPart): boolean {
  if (part.kind === 'call' || part.part['type'] !== 'text') return true
  const { text } = part.part
  return typeof text === 'string' && text.trim() !== ''
}
