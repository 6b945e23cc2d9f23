import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import {
  isJsonWhiteSpace,
  MAX_JSON_DEPTH,
  MAX_UNSCANNED_BYTES,
  parseJson,
  scanJson,
} from '@toolblocks/protocol/internal'

/** How often each character of a text is read on average, at most. Lines inside an object that does not end are read again. */
const MAX_PASSES = 2
/** The beginning or the end of a code block. */
const FENCE = /^ {0,3}(?:```|~~~)/
/** Number of objects that are not valid JSON after which a text is no output with a document. */
const MAX_INVALID = 100

/**
 * Whether a text has exactly one JSON object that is a document, and that begins a line and ends one, outside of the code blocks of Markdown. Records
 * of a conversation have one for each message. Its time is linear in the length of the text.
 */
export function hasDocumentInLines(
  text: string,
  isDocument: (document: JsonObject) => boolean,
): boolean {
  if (!hasContentKey(text)) return false
  let left = MAX_PASSES * text.length
  let invalid = 0
  let isInCode = false
  let documents = 0
  for (let start = 0; start < text.length && left > 0; start = findNextLine(text, start)) {
    if (FENCE.test(text.slice(start, start + 6))) isInCode = !isInCode
    if (isInCode || text.charAt(start) !== '{') continue
    const { end, isComplete } = findObjectEnd(text, start)
    left -= end - start
    if (!isComplete) continue
    const object = text.slice(start, end)
    start = end - 1
    if (!isLineEnd(text, end) || !hasContentKey(object)) continue
    if (object.length > MAX_UNSCANNED_BYTES && scanJson(object).exceeds) continue
    const document = parseJson(object)
    if (isJsonObject(document) && isDocument(document)) documents += 1
    if (documents > 1) return false
    if (document === undefined) invalid += 1
    if (invalid > MAX_INVALID) return false
  }
  return documents === 1
}

/** Whether a text has a key `content` of an array, at any depth. */
export function hasContentKey(text: string): boolean {
  return /"content"\s*:\s*\[/.test(text)
}

function findNextLine(text: string, index: number): number {
  const end = text.indexOf('\n', index)
  return end === -1 ? text.length : end + 1
}

/** Whether only white space is between an index and the end of its line. */
function isLineEnd(text: string, index: number): boolean {
  let position = index
  while (text.charAt(position) !== '\n' && isJsonWhiteSpace(text.charCodeAt(position)))
    position += 1
  return position >= text.length || text.charAt(position) === '\n'
}

/** Finds the index after the bracket that closes the object at `start`, or the index at which it cannot be JSON. */
function findObjectEnd(text: string, start: number): { end: number; isComplete: boolean } {
  let depth = 0
  let isInString = false
  for (let index = start; index < text.length; index += 1) {
    const character = text.charAt(index)
    if (isInString) {
      if (character === '\n') return { end: index, isComplete: false }
      if (character === '\\') index += 1
      else if (character === '"') isInString = false
    } else if (character === '"') isInString = true
    else if (character === '{' || character === '[') {
      depth += 1
      if (depth > MAX_JSON_DEPTH) return { end: index, isComplete: false }
    } else if (character === '}' || character === ']') {
      depth -= 1
      if (depth === 0) return { end: index + 1, isComplete: true }
    }
  }
  return { end: text.length, isComplete: false }
}
