import { isJsonObject } from '../json/json.ts'
import type { ContentBlock } from './content-block.ts'
import { findBlocksWithJson } from './find-blocks-with-json.ts'

/** The fields around a result that some servers write into structured content, for example FastMCP for every value that is not an object. */
const WRAPPERS = ['result', 'content']

/**
 * Whether structured content only repeats blocks of its result: a text block is its JSON; or it wraps their texts, their JSON or the blocks themselves in a
 * field `result` or `content`. The time is linear in both.
 */
export function isRepeatedContent(
  content: readonly ContentBlock[],
  structuredContent: unknown,
): boolean {
  if (findBlocksWithJson(content, structuredContent).size > 0) return true
  const wrapped = unwrap(structuredContent)
  if (!wrapped) return false
  if (findBlocksWithJson(content, wrapped.value).size > 0) return true
  const items = Array.isArray(wrapped.value) ? wrapped.value : [wrapped.value]
  if (items.length === 0) return false
  const blocks = new Set(content.map(getKey))
  const texts = content.filter((block) => block.type === 'text')
  // Values that are neither texts nor blocks are the JSON of the text blocks at their places.
  return items.every((item, index) => {
    const key = typeof item === 'string' ? toTextKey(item) : getKey(item)
    if (key !== undefined && blocks.has(key)) return true
    const text = texts[index]
    return text !== undefined && findBlocksWithJson([text], item).size > 0
  })
}

function unwrap(value: unknown): { value: unknown } | undefined {
  if (!isJsonObject(value)) return undefined
  const [key, ...others] = Object.keys(value)
  return key !== undefined && others.length === 0 && WRAPPERS.includes(key)
    ? { value: value[key] }
    : undefined
}

/** The fields of a block that are compared, and those that say nothing to a reader. A block with others has more to say. */
const COMPARED = ['type', 'text', 'data', 'mimeType', 'resource', 'annotations', '_meta']

/** Returns what a block says, the same for equal blocks of different objects; `undefined` for anything else. */
function getKey(block: unknown): string | undefined {
  if (!isJsonObject(block)) return undefined
  const { type, text, data, mimeType, resource } = block
  const others = Object.entries(block).filter(([key]) => !COMPARED.includes(key))
  if (others.some(([, value]) => value !== null && value !== undefined)) return undefined
  if (type === 'text' && typeof text === 'string') return toTextKey(text)
  if ((type === 'image' || type === 'audio') && typeof data === 'string')
    return `${type} ${String(mimeType)} ${data}`
  if (type !== 'resource' || !isJsonObject(resource)) return undefined
  return `resource ${String(resource['uri'])} ${String(resource['text'] ?? resource['blob'])}`
}

/** White space at the end of a text says nothing. */
function toTextKey(text: string): string {
  return `text ${text.trimEnd()}`
}

/** Bytes in structured content. */
export interface RepeatedMedia {
  /** Base64. */
  data: string
  /** Index of the block of the result with the same bytes, if there is one. */
  index: number | undefined
  /** The MIME type, if it is known. */
  mimeType: string | undefined
}

/** JSON may have bytes if it has a string of this length without a blank, or that of a block. */
const LONG = /[\w+/=-]{64}/

/** Shorter base64 may be equal to a word by chance. */
const MIN_BYTES = 16

/** A data URL of bytes. */
const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+)[^,]{0,200};base64,/i

/**
 * Replaces bytes in structured content by what `describe` returns: the bytes of a block of the same result, of a block in the structured content, of a data
 * URL, and those in a field `base64`. A value without bytes, or that is not JSON, is returned as it is. The time is linear in both.
 */
export function replaceMedia(
  content: readonly ContentBlock[],
  structuredContent: unknown,
  describe: (media: RepeatedMedia) => string,
): unknown {
  const known = new Map<string, number>()
  for (const [index, block] of content.entries()) {
    const bytes = getBytes(block)
    if (bytes && bytes.data.length >= MIN_BYTES && !known.has(bytes.data))
      known.set(bytes.data, index)
  }
  try {
    const json = JSON.stringify(structuredContent)
    if (known.size === 0 && !LONG.test(json)) return structuredContent
    let isChanged = false
    const replaced = JSON.stringify(structuredContent, function (this: unknown, key, value) {
      const media = typeof value === 'string' ? findMedia(this, key, value) : undefined
      if (media === undefined) return value as unknown
      isChanged = true
      return describe(media)
    })
    return isChanged ? (JSON.parse(replaced) as unknown) : structuredContent
  } catch {
    // A cycle, a big integer or too many levels.
    return structuredContent
  }

  function findMedia(holder: unknown, key: string, text: string): RepeatedMedia | undefined {
    const [url, mimeType] = DATA_URL.exec(text) ?? []
    const data = url === undefined ? text : text.slice(url.length)
    const index = known.get(data)
    if (index !== undefined) {
      const bytes = content[index] && getBytes(content[index])
      return { data, index, mimeType: bytes?.mimeType ?? mimeType }
    }
    if (url !== undefined) return { data, index, mimeType }
    const bytes = getBytes(holder)
    const isBytes = bytes?.data === text && (key === 'data' || key === 'blob' || key === 'base64')
    return isBytes && text !== '' ? { data, index, mimeType: bytes.mimeType } : undefined
  }
}

/** Returns the bytes of a block, of a resource, or of an object with a field `base64`. */
function getBytes(value: unknown): { data: string; mimeType: string | undefined } | undefined {
  if (!isJsonObject(value)) return undefined
  const { type, data, resource, base64 } = value
  const { uri, blob, mimeType } = type === 'resource' && isJsonObject(resource) ? resource : value
  const known = typeof mimeType === 'string' ? mimeType : undefined
  if ((type === 'image' || type === 'audio') && typeof data === 'string' && known !== undefined)
    return { data, mimeType: known }
  if (typeof uri === 'string' && typeof blob === 'string') return { data: blob, mimeType: known }
  if (typeof base64 === 'string' && LONG.test(base64)) return { data: base64, mimeType: known }
  return undefined
}
