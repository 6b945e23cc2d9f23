import { type JsonObject, type Problem, isJsonObject } from '@toolblocks/protocol'
import {
  isJsonWhiteSpace,
  parseJson,
  scanJson,
  MAX_UNSCANNED_BYTES,
  MISSING_CONTENT,
  describeValue,
  findValueForPerson,
} from '@toolblocks/protocol/internal'
import type { OutputLimit, WarningCode } from '../reading/reading.ts'
import { hasContentKey, hasDocumentInLines } from './has-document-in-lines.ts'

/** An output as a JSON object, or the reason why it is text: an exceeded limit, or remarks for its author. */
type ParsedDocument =
  | { document: JsonObject }
  | { limit: OutputLimit }
  | { remarks: readonly Problem<WarningCode>[] }

const noJson: ParsedDocument = { remarks: [] }

/** Number of characters in which the first block of a list must name its type. */
const LIST_HEAD = 10_000
const BYTE_ORDER_MARK = '\uFEFF'

/** Parses an output that is one JSON object. Any other output is text and not parsed further. */
export function parseDocument(output: string): ParsedDocument {
  const text = output.charAt(0) === BYTE_ORDER_MARK ? output.slice(1) : output
  const first = firstCharacter(text)
  if (first === '[') return remarkOnList(text)
  if (first !== '{') return remarkOnText(text) ?? noJson
  // Parsing large text can take twenty times its size in memory, so its shape is measured first.
  const limit = text.length > MAX_UNSCANNED_BYTES ? scanJson(text).exceeds : undefined
  if (limit) return hasContentKey(text) ? { limit } : noJson
  try {
    const document: JsonObject = JSON.parse(text)
    return { document }
  } catch (error) {
    return remarkOnInvalid(text, String(error).replaceAll(/\s+/g, ' '))
  }
}

/** A list is text. A list of blocks is parsed, so that its author learns what is missing. */
function remarkOnList(text: string): ParsedDocument {
  const around = remarkOnText(text)
  if (around && !isJson(text)) return around
  if (text.length > MAX_UNSCANNED_BYTES || !/"type"\s*:/.test(text.slice(0, LIST_HEAD)))
    return noJson
  const missing = findMissingPart(parseJson(text))
  return missing ? { remarks: [missing] } : noJson
}

/** Whether a text is JSON, or too large to know it. */
function isJson(text: string): boolean {
  const isTooLarge = text.length > MAX_UNSCANNED_BYTES && scanJson(text).exceeds !== undefined
  return isTooLarge || parseJson(text) !== undefined
}

/** Remarks on a document of blocks between other text, on lines of its own. */
function remarkOnText(text: string): ParsedDocument | undefined {
  if (endsInBlocks(text)) return remarkAround('text before it')
  return hasDocumentInLines(text, isResult) ? remarkAround('text around it') : undefined
}

/** Whether a document of blocks seems to follow other text, on its own line. */
function endsInBlocks(text: string): boolean {
  return lastCharacter(text) === '}' && /^\{\s*"content"\s*:\s*\[/m.test(text)
}

/** Whether a JSON object was certainly meant as a result: it has only fields of one, and blocks or a value. */
function isResult(document: JsonObject): boolean {
  const { content } = document
  if (!Array.isArray(content) || !content.every(isBlock)) return false
  const names = Object.keys(document)
  if (!names.every((name) => RESULT_FIELDS.has(name) || SPELLINGS.has(name))) return false
  return content.length > 0 || names.length > 1
}

/** Remarks on a text that begins as an object, and was probably meant as blocks. */
function remarkOnInvalid(text: string, error: string): ParsedDocument {
  if (isPythonDict(text))
    return remark({
      code: 'invalid-json',
      reason: 'it is a Python dict, which is not JSON; print json.dumps(…) of it.',
      got: 'a Python dict',
    })
  if (!hasContentKey(text)) return noJson
  if (error.includes('after JSON')) return remarkAround(error)
  if (hasDocumentInLines(text, isResult)) return remarkAround('text around it')
  return remark({ code: 'invalid-json', reason: 'it is not valid JSON.', got: error })
}

/** Whether a text is a result as Python prints a dict: with single quotes around its keys. */
function isPythonDict(text: string): boolean {
  return (
    /^\s*\{\s*'/.test(text) && lastCharacter(text) === '}' && /'content'\s*:\s*\[\s*\{/.test(text)
  )
}

function remarkAround(got: string): ParsedDocument {
  const reason = 'print nothing else to stdout, logs go to stderr.'
  return remark({ code: 'text-around-json', reason, got })
}

function remark({
  code,
  reason,
  got,
}: {
  code: WarningCode
  reason: string
  got: string
}): ParsedDocument {
  const message = `The output looks like content blocks but is plain text: ${reason}`
  return { remarks: [{ path: '', message, expected: 'one JSON document', got, code }] }
}

function firstCharacter(text: string): string {
  let index = 0
  while (isJsonWhiteSpace(text.charCodeAt(index))) index += 1
  return text.charAt(index)
}

function lastCharacter(text: string): string {
  let index = text.length - 1
  while (isJsonWhiteSpace(text.charCodeAt(index))) index -= 1
  return text.charAt(index)
}

/** The allowed fields of a document of blocks. A document with another field is the tool's own JSON. */
const RESULT_FIELDS = new Set(['content', 'isError', 'structuredContent', '_meta', 'metadata'])

/** Other spellings that are read. */
const SPELLINGS = new Set(['structured_content', 'is_error'])

/** The field that identifies each block type. */
const BLOCK_FIELDS: ReadonlyMap<unknown, string> = new Map([
  ['text', 'text'],
  ['image', 'data'],
  ['audio', 'data'],
  ['resource', 'resource'],
  ['resource_link', 'uri'],
  ['question', 'question'],
])

/**
 * Returns what is missing from JSON that was certainly meant as a result; `undefined` for other JSON. It is certain for an object that has only
 * fields of a result, with a boolean `isError`, `structuredContent`, or a `content` that is null, a text or a block; for a list of blocks; and for a
 * table, a diff or a list of files that would be shown in a result.
 */
export function findMissingPart(json: unknown): Problem<WarningCode> | undefined {
  if (Array.isArray(json))
    return json.length > 0 && json.every(isBlock) ? blocksAlone(json) : undefined
  if (!isJsonObject(json)) return undefined
  const kind = findShownKind(json)
  if (kind !== undefined)
    return missingContent('', `it is a ${kind} without a result around it`, {
      advice: `Print {${TEXT_CONTENT}, "structuredContent": {"kind": "${kind}", …}}`,
      got: `a value of the kind "${kind}"`,
    })
  if (!isMeant(json)) return undefined
  const { content } = json
  const [path, what, keep] =
    content === undefined
      ? ['', 'it has no "content"', ' and add "content" beside it']
      : ['/content', 'its "content" is not an array', ' beside an array']
  return missingContent(path, what, {
    // "Print …" alone was read as "print a text instead of the value". A terminal shows 200 characters of the message.
    advice: Object.hasOwn(json, 'structuredContent')
      ? `Keep "structuredContent"${keep}: {${TEXT_CONTENT}, "structuredContent": …}`
      : `Print {${TEXT_CONTENT}${json['isError'] === true ? ', "isError": true' : ''}}`,
    got: describeValue(content),
  })
}

/** Kinds with a shape that no other JSON has by chance. */
const SHOWN_KINDS = new Set(['table', 'diff', 'file_list'])

function findShownKind(json: JsonObject): string | undefined {
  // A table with columns or rows of another shape gets its own warning in a result.
  const { kind: named, data = json } = json
  if (named === 'table' && isJsonObject(data) && Array.isArray(data['rows'])) return 'table'
  const kind = findValueForPerson(json)?.kind
  return kind !== undefined && SHOWN_KINDS.has(kind) ? kind : undefined
}

const TEXT_CONTENT = '"content": [{"type": "text", "text": "…"}]'

function isMeant(document: JsonObject): boolean {
  if (Array.isArray(document['content'])) return false
  if (!Object.keys(document).every((key) => RESULT_FIELDS.has(key))) return false
  const { content } = document
  return (
    typeof document['isError'] === 'boolean' ||
    Object.hasOwn(document, 'structuredContent') ||
    content === null ||
    typeof content === 'string' ||
    isBlock(content)
  )
}

function isBlock(value: unknown): boolean {
  if (!isJsonObject(value)) return false
  const needed = BLOCK_FIELDS.get(value['type'])
  return needed !== undefined && Object.hasOwn(value, needed)
}

function blocksAlone(blocks: readonly unknown[]): Problem<WarningCode> {
  return missingContent('', 'its blocks are not in an object', {
    advice: 'Print {"content": […]}',
    got: describeValue(blocks),
  })
}

function missingContent(
  path: string,
  what: string,
  { advice, got }: { advice: string; got: string },
): Problem<WarningCode> {
  return {
    path,
    message: `The output looks like a result but is plain text: ${what}. ${advice}.`,
    expected: 'an object with an array "content"',
    got,
    code: MISSING_CONTENT,
  }
}
