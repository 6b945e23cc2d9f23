import {
  isQuoted,
  isWellKnownValue,
  normalizeResultValue,
  readResultValue,
  textOf,
  type ToolResult,
} from '@toolblocks/protocol'
import { countOf } from './count-of.ts'
import { failureWords } from './show-remarks.ts'
import { firstLine, summarizeValue } from './values/summarize-value.ts'

/** One line that can stand for a result: what its value says or is, else the first line of its text, else what its blocks are. */
export function summarizeResult(result: ToolResult): string {
  const { content, structuredContent, isError } = result
  const value = normalizeResultValue(structuredContent)
  const isValue =
    value && (isWellKnownValue(value) || readResultValue(structuredContent) !== undefined)
  const said = content.map(textOf).find((text) => text !== undefined && text.trim() !== '')
  if (isError) {
    const words = failureWords(result)
    if (said === undefined) return words
    // Of a sentence with a quotation, the quotation says what happened.
    const quoted = content.find((block) => block.type === 'text' && isQuoted(block))
    const isAbout = quoted !== undefined && content.indexOf(quoted) === 1
    const both = isAbout ? `${firstLine(said)} ${firstLine(textOf(quoted) ?? '')}` : firstLine(said)
    return `${words}: ${both}`
  }
  if (isValue)
    return value.display?.preferredView === 'hidden'
      ? `${value.kind}: hidden`
      : summarizeValue(value)
  if (said !== undefined) return firstLine(said)
  const [first] = content
  if (first) return content.length === 1 ? first.type : countOf(content.length, 'block')
  return structuredContent === undefined
    ? 'no output'
    : summarizeValue({ kind: 'structured', data: structuredContent })
}
