import {
  audienceOf,
  blocksOfSameJson,
  isJsonObject,
  isWellKnownKind,
  normalizeResultValue,
  readResultValue,
  textOf,
  type ContentBlock,
  type ToolResult,
  type ToolResultValue,
} from '@toolblocks/protocol'
import type { StructuredPolicy } from '../format-options.ts'

/** What of a result a model is given; `named`: that structured content is there, but not what it says. */
export interface Delivered {
  content: readonly ContentBlock[]
  structured: 'none' | 'named' | 'whole'
}

/** Decides between blocks and structured content; media and links are always given. */
export function chooseDelivered(result: ToolResult, policy: StructuredPolicy): Delivered {
  const { content, structuredContent } = result
  if (!('structuredContent' in result)) return { content, structured: 'none' }
  switch (policy) {
    case 'content':
      return { content, structured: content.length === 0 ? 'whole' : leftOut(result) }
    case 'both':
      return { content, structured: 'whole' }
    case 'structured':
      return { content: content.filter((block) => !isText(block)), structured: 'whole' }
    case 'auto': {
      const isForPerson = valueForPerson(structuredContent) !== undefined && content.some(isText)
      const rest = leftOut(result)
      return { content, structured: isForPerson || rest === 'none' ? rest : 'whole' }
    }
  }
}

/** Structured content that is for a person: a semantic value, also one of a well-known kind in its older form, with its fields beside `kind`. */
export function valueForPerson(structuredContent: unknown): ToolResultValue | undefined {
  const value = readResultValue(structuredContent)
  if (value) return value
  const older = normalizeResultValue(structuredContent)
  return older && older.kind !== 'structured' && isWellKnownKind(older.kind) ? older : undefined
}

/** What is left out is named, unless a text says it. */
function leftOut({ content, structuredContent }: ToolResult): 'none' | 'named' {
  const texts = content.filter(isText)
  const value = valueForPerson(structuredContent)
  const isTold =
    blocksOfSameJson(texts, structuredContent).size > 0 ||
    (value !== undefined && isDataTold(texts, value.data))
  return isTold ? 'none' : 'named'
}

/** Whether a text is the data of a semantic value: its JSON, or the text that it holds. */
function isDataTold(texts: readonly ContentBlock[], data: unknown): boolean {
  if (blocksOfSameJson(texts, data).size > 0) return true
  const told = isJsonObject(data) ? data['content'] : undefined
  if (typeof told !== 'string') return false
  const text = told.trimEnd()
  return texts.some((block) => textOf(block)?.trimEnd() === text)
}

/** Blocks whose text a model gets. */
function isText(block: ContentBlock): boolean {
  return textOf(block) !== undefined && audienceOf(block) !== 'user'
}
