import {
  type ContentBlock,
  type TextContent,
  type ToolResult,
  getAudience,
  getText,
  isJsonObject,
} from '@toolblocks/protocol'
import {
  findValueForPerson,
  findBlocksWithJson,
  formatNote,
  isRepeatedContent,
  replaceMedia,
  formatByteSize,
  getBase64ByteLength,
  toLastState,
} from '@toolblocks/protocol/internal'
import { nameBlock, type StructuredPolicy } from './format-block.ts'
import { oneLine } from './model-text.ts'
import { type ResultPart, codeFence } from './parts.ts'

/** Formats structured content as a JSON block, or as one line that mentions it. Bytes in it are a line, which names their block if the result has it. */
export function formatStructured(
  { content, structuredContent: value }: ToolResult,
  delivered: Delivered['structured'],
): readonly ResultPart[] {
  switch (delivered) {
    case 'none':
      return []
    case 'named':
      return [{ from: 'host', text: nameStructured(value) }]
    case 'whole':
      return [{ from: 'host', text: formatJson(withoutMedia(content, value)) }]
  }
}

function withoutMedia(content: readonly ContentBlock[], value: unknown): unknown {
  return replaceMedia(content, value, ({ index, mimeType = 'unknown type', data }) => {
    const facts = `${oneLine(mimeType)}, ${formatByteSize(getBase64ByteLength(data))}`
    return formatNote(index === undefined ? facts : `${nameBlock(index)}: ${facts}`)
  })
}

function nameStructured(structuredContent: unknown): string {
  const value = findValueForPerson(structuredContent)
  if (!value) return '[structured content, not shown here]'
  const summary = oneLine(value.summary ?? '')
  const kind = oneLine(value.kind)
  const facts = summary === '' ? [kind] : [kind, summary]
  const isHidden = value.display?.preferredView === 'hidden'
  const seen = isHidden ? 'hidden from' : 'shown to'
  return formatNote(`structured content, ${seen} the person: ${facts.join(', ')}`)
}

/** A value that is not JSON is mentioned, not dropped. */
function formatJson(value: unknown): string {
  try {
    const json: unknown = JSON.stringify(value)
    if (typeof json === 'string') return codeFence(json, 'json')
  } catch {
    // Cycles and big integers, which only an in-process tool can return.
  }
  return '[structured content that is not JSON]'
}

/** A block and its index in its result. */
export interface PlacedBlock {
  block: ContentBlock
  index: number
}

/** The part of a result that a model receives. `named`: structured content is mentioned, without its value. */
interface Delivered {
  content: readonly PlacedBlock[]
  structured: 'none' | 'named' | 'whole'
}

/** Chooses between blocks and structured content. Media and links are always given. Text has the last state of lines that redraw themselves. */
export function chooseDelivered(result: ToolResult, policy: StructuredPolicy): Delivered {
  const { content: blocks, structuredContent } = result
  const content = blocks.map((block, index) => ({ block: withLastState(block), index }))
  if (!('structuredContent' in result)) return { content, structured: 'none' }
  switch (policy) {
    case 'content':
      return { content, structured: content.length === 0 ? 'whole' : findOmission(result) }
    case 'both':
      return { content, structured: 'whole' }
    case 'structured':
      return { content: content.filter(({ block }) => !isText(block)), structured: 'whole' }
    case 'auto': {
      const rest = findOmission(result)
      // Without a text, the value is the result.
      if (!blocks.some(isText)) return { content, structured: rest === 'none' ? rest : 'whole' }
      const isForPerson = findValueForPerson(structuredContent) !== undefined
      return { content, structured: isForPerson || rest === 'none' ? rest : 'whole' }
    }
  }
}

/** Returns a block with the last state of its text, as a terminal shows it. Typed text is unchanged. */
export function withLastState(block: ContentBlock): ContentBlock {
  if (!isRedrawable(block)) return block
  const { text } = toLastState(block.text)
  return text === block.text ? block : { ...block, text }
}

/** Whether a text block of a result has text that was written over. */
export function hasReplacedText({ content }: ToolResult): boolean {
  return content.some((block) => isRedrawable(block) && toLastState(block.text).hasReplaced)
}

function isRedrawable(block: ContentBlock): block is TextContent {
  return block.type === 'text' && block.mimeType === undefined
}

/** Omitted content is mentioned, unless the blocks have it. */
function findOmission({ content, structuredContent }: ToolResult): 'none' | 'named' {
  const blocks = content.filter((block) => getAudience(block) !== 'user')
  const texts = blocks.filter(isText)
  const value = findValueForPerson(structuredContent)
  const isTold =
    isRepeatedContent(blocks, structuredContent) ||
    (value !== undefined && isDataTold(texts, value.data))
  return isTold ? 'none' : 'named'
}

/** Whether a text is the data of a semantic value: its JSON, or its text. */
function isDataTold(texts: readonly ContentBlock[], data: unknown): boolean {
  if (findBlocksWithJson(texts, data).size > 0) return true
  const content = isJsonObject(data) ? data['content'] : undefined
  if (typeof content !== 'string') return false
  const text = content.trimEnd()
  return texts.some((block) => getText(block)?.trimEnd() === text)
}

/** Blocks whose text a model receives. */
function isText(block: ContentBlock): boolean {
  return getText(block) !== undefined && getAudience(block) !== 'user'
}
