import {
  type ContentBlock,
  field,
  isContentBlock,
  isJsonObject,
  type JsonObject,
} from '@toolblocks/protocol'

/** `_meta` key of a text block that stands for a block of a kind that nothing here can carry. */
const META_ODD_BLOCK = 'toolblocks/imported-block'

/** Reads content as older systems and providers write it: a text, a block, or an array of both. Nothing of it is dropped. */
export function readBlocks(content: unknown): readonly ContentBlock[] {
  if (content === undefined || content === null) return []
  return Array.isArray(content) ? content.map(readBlock) : [readBlock(content)]
}

/** Reads one block: MCP's own, or one of Anthropic, OpenAI, Gemini, the AI SDK, pi or Lace. What none of them knows is its JSON as text. */
export function readBlock(block: unknown): ContentBlock {
  if (isContentBlock(block)) return block
  if (typeof block === 'string') return { type: 'text', text: block }
  if (!isJsonObject(block)) return oddBlock(block)
  return readKnown(block) ?? oddBlock(block)
}

function readKnown(block: JsonObject): ContentBlock | undefined {
  switch (field(block, 'type')) {
    case 'text':
    case 'input_text':
    case 'output_text':
    case 'summary_text':
    case 'reasoning_text':
    case undefined:
      return textBlock(field(block, 'text'), restOf(block))
    case 'refusal':
      return textBlock(field(block, 'refusal'))
    case 'json':
      return textBlock(JSON.stringify(field(block, 'data')))
    case 'error':
      return textBlock(field(block, 'message'), { code: field(block, 'code') })
    case 'image':
    case 'input_image':
    case 'image_url':
      return readImage(block)
    case 'input_audio':
      return readAudio(field(block, 'input_audio'))
    case 'document':
      return readDocument(block)
    case 'resource':
      return linkBlock(field(block, 'uri'), field(block, 'name'))
    case 'file':
      return readUrl(field(block, 'url'), field(block, 'mediaType'), field(block, 'filename'))
    default:
      return undefined
  }
}

function textBlock(text: unknown, meta: JsonObject = {}): ContentBlock | undefined {
  return typeof text === 'string' ? { type: 'text', text, ...metaOf(meta) } : undefined
}

/** What stands beside a text and says something, such as its sources. */
function restOf({ type: _type, text: _text, ...rest }: JsonObject): JsonObject {
  const told = Object.entries(rest).filter(
    ([, value]) =>
      value !== null &&
      value !== '' &&
      value !== false &&
      !(Array.isArray(value) && value.length === 0),
  )
  return Object.fromEntries(told)
}

function metaOf(meta: JsonObject): { _meta?: JsonObject } {
  const isTold = Object.values(meta).some((value) => value !== undefined)
  return isTold ? { _meta: { [META_ODD_BLOCK]: meta } } : {}
}

function linkBlock(uri: unknown, name: unknown): ContentBlock | undefined {
  if (typeof uri !== 'string') return undefined
  return { type: 'resource_link', uri, name: typeof name === 'string' ? name : uri }
}

function readImage(block: JsonObject): ContentBlock | undefined {
  const source = field(block, 'source')
  if (isJsonObject(source)) {
    if (field(source, 'type') === 'url') return linkBlock(field(source, 'url'), 'image')
    return imageBlock(field(source, 'data'), field(source, 'media_type'))
  }
  const url = field(block, 'image_url')
  if (url !== undefined) return readUrl(isJsonObject(url) ? field(url, 'url') : url)
  return imageBlock(
    field(block, 'data') ?? field(block, 'image'),
    field(block, 'mimeType') ?? field(block, 'mediaType'),
  )
}

function imageBlock(data: unknown, mimeType: unknown): ContentBlock | undefined {
  if (typeof data !== 'string') return undefined
  // Lace kept pictures without their type.
  const type = typeof mimeType === 'string' ? mimeType : 'application/octet-stream'
  return { type: 'image', data, mimeType: type }
}

const DATA_URL = /^data:([^;,]+);base64,/

/** A `data:` URL is what it holds; any other is a link that nobody fetches. */
function readUrl(url: unknown, mediaType?: unknown, name?: unknown): ContentBlock | undefined {
  if (typeof url !== 'string') return undefined
  const [prefix, mimeType] = DATA_URL.exec(url) ?? []
  if (prefix === undefined || mimeType === undefined) return linkBlock(url, name ?? 'file')
  const data = url.slice(prefix.length)
  const named = metaOf(typeof name === 'string' ? { name } : {})
  if (mimeType.startsWith('image/')) return { type: 'image', data, mimeType, ...named }
  if (mimeType.startsWith('audio/')) return { type: 'audio', data, mimeType, ...named }
  const type = typeof mediaType === 'string' ? mediaType : mimeType
  const uri = typeof name === 'string' ? name : 'file'
  return { type: 'resource', resource: { uri, mimeType: type, blob: data } }
}

function readAudio(audio: unknown): ContentBlock | undefined {
  if (!isJsonObject(audio)) return undefined
  const data = field(audio, 'data')
  const format = field(audio, 'format')
  if (typeof data !== 'string' || typeof format !== 'string') return undefined
  return { type: 'audio', data, mimeType: `audio/${format}` }
}

function readDocument(block: JsonObject): ContentBlock | undefined {
  const source = field(block, 'source')
  const title = field(block, 'title')
  if (!isJsonObject(source)) return undefined
  if (field(source, 'type') === 'url') return linkBlock(field(source, 'url'), title ?? 'document')
  const data = field(source, 'data')
  const mimeType = field(source, 'media_type')
  if (typeof data !== 'string' || typeof mimeType !== 'string') return undefined
  const about = { uri: typeof title === 'string' ? title : 'document', mimeType }
  const isText = field(source, 'type') === 'text'
  return {
    type: 'resource',
    resource: isText ? { ...about, text: data } : { ...about, blob: data },
  }
}

function oddBlock(block: unknown): ContentBlock {
  const kind = isJsonObject(block) ? field(block, 'type') : typeof block
  const text = JSON.stringify(block) ?? ''
  return { type: 'text', text, mimeType: 'application/json', _meta: { [META_ODD_BLOCK]: { kind } } }
}
