import {
  describeValue,
  isJsonObject,
  type JsonObject,
  MISSING_CONTENT,
  type Problem,
} from '@toolblocks/protocol'
import type { WarningCode } from '../warning-code.ts'

/** What a document of blocks may have at its top. A document with anything else is somebody's own JSON. */
const RESULT_FIELDS = new Set(['content', 'isError', 'structuredContent', '_meta', 'metadata'])

/** What makes a block of its type. */
const BLOCK_FIELDS: ReadonlyMap<unknown, string> = new Map([
  ['text', 'text'],
  ['image', 'data'],
  ['audio', 'data'],
  ['resource', 'resource'],
  ['resource_link', 'uri'],
  ['question', 'question'],
])

/**
 * What is missing from JSON that was surely meant as a result; nothing for any other JSON. Sure is: an object that has only fields of a result, of these
 * `isError` as a boolean, `structuredContent`, or a `content` that is a text or a block; and a list of blocks alone.
 */
export function whatIsMissing(json: unknown): Problem<WarningCode> | undefined {
  if (Array.isArray(json))
    return json.length > 0 && json.every(isBlock) ? blocksAlone(json) : undefined
  if (!isJsonObject(json) || !isMeant(json)) return undefined
  const { content } = json
  const path = content === undefined ? '' : '/content'
  return missing(
    path,
    content === undefined ? 'it has no "content"' : 'its "content" is no array',
    {
      example: exampleOf(json),
      got: describeValue(content),
    },
  )
}

function isMeant(document: JsonObject): boolean {
  if (Array.isArray(document['content'])) return false
  if (!Object.keys(document).every((key) => RESULT_FIELDS.has(key))) return false
  const { content } = document
  return (
    typeof document['isError'] === 'boolean' ||
    Object.hasOwn(document, 'structuredContent') ||
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
  return missing('', 'its blocks stand in no object', {
    example: '{"content": […]}',
    got: describeValue(blocks),
  })
}

function exampleOf(document: JsonObject): string {
  const { isError } = document
  const fields = [
    '"content": [{"type": "text", "text": "…"}]',
    ...(isError === true ? ['"isError": true'] : []),
    ...(Object.hasOwn(document, 'structuredContent') ? ['"structuredContent": …'] : []),
  ]
  return `{${fields.join(', ')}}`
}

function missing(
  path: string,
  what: string,
  { example, got }: { example: string; got: string },
): Problem<WarningCode> {
  return {
    path,
    message: `The output looks like a result but is plain text: ${what}. Print ${example}.`,
    expected: 'an object with an array "content"',
    got,
    code: MISSING_CONTENT,
  }
}
