import {
  audienceOf,
  blocksOfSameJson,
  type ContentBlock,
  isWellKnownValue,
  normalizeResultValue,
  readResultValue,
  type ToolResult,
  type ToolResultValue,
} from '@toolblocks/protocol'
import type { ShowOptions } from '../context/show-options.ts'

/** Structured content as a person is shown it. */
type Structured =
  | { kind: 'none' }
  | { kind: 'json'; value: unknown }
  | { kind: 'value'; value: ToolResultValue }
  /** The tool asks not to show it. */
  | { kind: 'hidden'; value: ToolResultValue }

/** What of a result a person is shown. */
export interface Chosen {
  content: readonly ContentBlock[]
  structured: Structured
}

/**
 * Decides between blocks and structured content. Text that is only the JSON of a semantic value gives way to the value; other
 * structured content gives way to text that is its JSON. Nothing of an error is hidden, nor where hidden values are to be shown.
 */
export function chooseStructured(
  { content, structuredContent, isError }: ToolResult,
  { hiddenValues = 'name', registry }: ShowOptions,
): Chosen {
  if (structuredContent === undefined) return { content, structured: { kind: 'none' } }
  const same = blocksOfSameJson(content, structuredContent)
  const others = content.filter((block) => !same.has(block))
  const value = normalizeResultValue(structuredContent)
  const isHidden = value?.display?.preferredView === 'hidden' && !isError && hiddenValues === 'name'
  if (value && isHidden)
    return { content: content.filter(isForPerson), structured: { kind: 'hidden', value } }
  // Other objects that have a `kind` are shown as they are: what is read as a value loses fields that no value has.
  const isValue =
    value &&
    (isWellKnownValue(value) ||
      readResultValue(structuredContent) !== undefined ||
      registry?.find(value.kind) !== undefined)
  if (isValue) return { content: others, structured: { kind: 'value', value } }
  return {
    content,
    structured: same.size > 0 ? { kind: 'none' } : { kind: 'json', value: structuredContent },
  }
}

/** What a person must see, whatever the value beside it asks for: a question, and what is said to them. */
function isForPerson(block: ContentBlock): boolean {
  return block.type === 'question' || audienceOf(block) === 'user'
}
