import {
  type ContentBlock,
  type JsonObject,
  type Outcome,
  type ResultMetadata,
  type ToolResult,
  isContentBlock,
  isToolResult,
  isJsonObject,
} from '@toolblocks/protocol'
import { getOwnField, isOutcome, normalizeResultValue } from '@toolblocks/protocol/internal'

/**
 * Reads a tool result as any older system stored it: the flat record (`{content: "…", is_error}`), blocks with `isError`, `status` or `outcome`,
 * `{callId, output, success, error}`, a semantic value, `{success: false, error}`, or a plain text. Any other value is kept as structured content,
 * with its JSON as text. A missing status is never an error.
 */
export function decodeToolResult(value: unknown): ToolResult {
  if (isToolResult(value)) {
    const led = readConversation(value.metadata)
    return led.conversationId === undefined
      ? value
      : { ...value, metadata: { ...led, ...value.metadata } }
  }
  if (!isJsonObject(value)) return { content: readBlocks(value), isError: false }
  return withId(value, readObject(value))
}

/** The fields of a result. An object with other fields is a plain value, even if it has a field `content`. */
const FIELDS: ReadonlySet<string> = new Set(
  (
    'type timestamp id callId toolCallId call_id tool_use_id name toolName content blocks structuredContent ' +
    'isError is_error status outcome metadata meta _meta tokenUsage isPending'
  ).split(' '),
)

function readObject(value: JsonObject): ToolResult {
  const content = getOwnField(value, 'content') ?? getOwnField(value, 'blocks')
  const isRecord =
    (typeof content === 'string' || Array.isArray(content)) &&
    Object.keys(value).every((name) => FIELDS.has(name))
  if (isRecord) return readContent(value, content)
  if (
    Object.hasOwn(value, 'output') ||
    (getOwnField(value, 'success') === false && getOwnField(value, 'error') !== undefined)
  )
    return readOutput(value)
  if (Object.hasOwn(value, 'toolCallId') || isWrapped(value)) return readWrapped(value)
  return readValue(value)
}

function readContent(value: JsonObject, content: unknown): ToolResult {
  const outcome = readOutcome(value)
  const flag = getOwnField(value, 'isError') ?? getOwnField(value, 'is_error')
  const status = getOwnField(value, 'status') ?? getOwnField(value, 'outcome')
  const isError =
    typeof flag === 'boolean' ? flag : typeof status === 'string' && !SUCCESS_STATUSES.has(status)
  const metadata = getOwnField(value, 'metadata') ?? getOwnField(value, 'meta')
  return {
    content: readBlocks(content),
    isError,
    ...(Object.hasOwn(value, 'structuredContent') && {
      structuredContent: getOwnField(value, 'structuredContent'),
    }),
    ...(isJsonObject(metadata) && { _meta: metadata }),
    ...withMetadata({
      ...(outcome !== undefined && (outcome === 'completed') !== isError && { outcome }),
      ...readConversation(metadata),
    }),
  }
}

function withMetadata(metadata: ResultMetadata): Pick<ToolResult, 'metadata'> {
  return Object.keys(metadata).length === 0 ? {} : { metadata }
}

/** Returns the thread in which a delegate of Lace worked. That thread is imported as a conversation under this id. */
function readConversation(metadata: unknown): Pick<ResultMetadata, 'conversationId'> {
  const thread = isJsonObject(metadata) ? getOwnField(metadata, 'threadId') : undefined
  return typeof thread === 'string' ? { conversationId: thread } : {}
}

/** Statuses that are not failures. A pending call has not failed; any other word means failure. */
const SUCCESS_STATUSES: ReadonlySet<string> = new Set(['completed', 'success', 'pending'])

/** Maps the words of older systems for an outcome to those of this package. */
const OUTCOMES: Readonly<Record<string, Outcome>> = {
  aborted: 'cancelled',
  interrupted: 'cancelled',
  error: 'failed',
  success: 'completed',
}

function readOutcome(value: JsonObject): Outcome | undefined {
  const status = getOwnField(value, 'status') ?? getOwnField(value, 'outcome')
  if (typeof status !== 'string') return undefined
  if (isOutcome(status)) return status
  return Object.hasOwn(OUTCOMES, status) ? OUTCOMES[status] : undefined
}

/** Reads `{output, success?, error?}` and `{success: false, error, hint?}`. */
function readOutput(value: JsonObject): ToolResult {
  const output = getOwnField(value, 'output')
  const error = getOwnField(value, 'error')
  const hint = getOwnField(value, 'hint')
  const success = getOwnField(value, 'success') ?? error === undefined
  const outputs = output === undefined || output === '' ? [] : [output]
  const why = success === false && error !== undefined && error !== output ? [error] : []
  const texts = [...outputs, ...why, ...(typeof hint === 'string' ? [hint] : [])]
  return { content: texts.map(toText), isError: success === false }
}

function isWrapped(value: JsonObject): boolean {
  const type = getOwnField(value, 'type')
  return type === 'success' || type === 'error' || type === 'interrupted'
}

/** Reads `{toolCallId, status, value?, error?}`, and `{type: "success", value}` and similar. */
function readWrapped(value: JsonObject): ToolResult {
  const state = getOwnField(value, 'status') ?? getOwnField(value, 'type')
  const inner = getOwnField(value, 'value') ?? getOwnField(value, 'partial')
  const error = getOwnField(value, 'error')
  const isError = state === 'error' || state === 'interrupted'
  const read = inner === undefined ? { content: [] } : readValue(inner)
  const why = error === undefined ? [] : [toText(error)]
  return {
    ...read,
    content: [...read.content, ...why],
    isError,
    ...(state === 'interrupted' && { metadata: { outcome: 'cancelled' as const } }),
  }
}

/** Reads a semantic or any other value: as structured content for programs, as text for models. */
function readValue(value: unknown): ToolResult {
  if (typeof value === 'string') return { content: [toText(value)], isError: false }
  const semantic = normalizeResultValue(value)
  const content = isJsonObject(value) ? getOwnField(value, 'content') : undefined
  const text = semantic?.summary ?? (typeof content === 'string' ? content : value)
  return { content: [toText(text)], isError: false, structuredContent: semantic ?? value }
}

function toText(value: unknown): ContentBlock {
  if (typeof value === 'string') return { type: 'text', text: value }
  return { type: 'text', text: JSON.stringify(value) ?? '', mimeType: 'application/json' }
}

function withId(value: JsonObject, result: ToolResult): ToolResult {
  const id =
    getOwnField(value, 'id') ?? getOwnField(value, 'callId') ?? getOwnField(value, 'toolCallId')
  return typeof id === 'string' ? { id, ...result } : result
}

/** `_meta` key of a text block that replaces a block of an unsupported kind. */
const META_IMPORTED_BLOCK = 'toolblocks/imported-block'

/** Reads content as older systems and providers write it: a text, a block, or an array of both. Drops nothing. */
export function readBlocks(content: unknown): readonly ContentBlock[] {
  if (content === undefined || content === null) return []
  return Array.isArray(content) ? content.map(readBlock) : [readBlock(content)]
}

/** Reads one block of MCP, Anthropic, OpenAI, Gemini, the AI SDK, pi or Lace. Any other block becomes a text with its JSON. */
export function readBlock(block: unknown): ContentBlock {
  if (isContentBlock(block)) return block
  if (typeof block === 'string') return { type: 'text', text: block }
  if (!isJsonObject(block)) return toJsonTextBlock(block)
  return readKnown(block) ?? toJsonTextBlock(block)
}

function readKnown(block: JsonObject): ContentBlock | undefined {
  switch (getOwnField(block, 'type')) {
    case 'text':
    case 'input_text':
    case 'output_text':
    case 'summary_text':
    case 'reasoning_text':
    case undefined:
      return textBlock(getOwnField(block, 'text'), readRest(block))
    case 'refusal':
      return textBlock(getOwnField(block, 'refusal'))
    case 'json':
      return textBlock(JSON.stringify(getOwnField(block, 'data')))
    case 'error':
      return textBlock(getOwnField(block, 'message'), { code: getOwnField(block, 'code') })
    case 'image':
    case 'input_image':
    case 'image_url':
      return readImage(block)
    case 'input_audio':
      return readAudio(getOwnField(block, 'input_audio'))
    case 'document':
      return readDocument(block)
    case 'resource':
      return linkBlock(getOwnField(block, 'uri'), getOwnField(block, 'name'))
    case 'file':
      return readUrl(
        getOwnField(block, 'url'),
        getOwnField(block, 'mediaType'),
        getOwnField(block, 'filename'),
      )
    default:
      return undefined
  }
}

function textBlock(text: unknown, meta: JsonObject = {}): ContentBlock | undefined {
  return typeof text === 'string' ? { type: 'text', text, ...readMeta(meta) } : undefined
}

/** Returns the fields beside a text that have a value, such as its sources. */
function readRest({ type: _type, text: _text, ...rest }: JsonObject): JsonObject {
  const fields = Object.entries(rest).filter(
    ([, value]) =>
      value !== null &&
      value !== '' &&
      value !== false &&
      !(Array.isArray(value) && value.length === 0),
  )
  return Object.fromEntries(fields)
}

function readMeta(meta: JsonObject): { _meta?: JsonObject } {
  const isTold = Object.values(meta).some((value) => value !== undefined)
  return isTold ? { _meta: { [META_IMPORTED_BLOCK]: meta } } : {}
}

function linkBlock(uri: unknown, name: unknown): ContentBlock | undefined {
  if (typeof uri !== 'string') return undefined
  return { type: 'resource_link', uri, name: typeof name === 'string' ? name : uri }
}

function readImage(block: JsonObject): ContentBlock | undefined {
  const source = getOwnField(block, 'source')
  if (isJsonObject(source)) {
    if (getOwnField(source, 'type') === 'url') return linkBlock(getOwnField(source, 'url'), 'image')
    return imageBlock(getOwnField(source, 'data'), getOwnField(source, 'media_type'))
  }
  const url = getOwnField(block, 'image_url')
  if (url !== undefined) return readUrl(isJsonObject(url) ? getOwnField(url, 'url') : url)
  return imageBlock(
    getOwnField(block, 'data') ?? getOwnField(block, 'image'),
    getOwnField(block, 'mimeType') ?? getOwnField(block, 'mediaType'),
  )
}

function imageBlock(data: unknown, mimeType: unknown): ContentBlock | undefined {
  if (typeof data !== 'string') return undefined
  // Lace kept pictures without their media type.
  const type = typeof mimeType === 'string' ? mimeType : 'application/octet-stream'
  return { type: 'image', data, mimeType: type }
}

const DATA_URL = /^data:([^;,]+);base64,/

/** Reads a URL: a `data:` URL becomes its content, any other URL a link that is not fetched. */
function readUrl(url: unknown, mediaType?: unknown, name?: unknown): ContentBlock | undefined {
  if (typeof url !== 'string') return undefined
  const [prefix, mimeType] = DATA_URL.exec(url) ?? []
  if (prefix === undefined || mimeType === undefined) return linkBlock(url, name ?? 'file')
  const data = url.slice(prefix.length)
  const named = readMeta(typeof name === 'string' ? { name } : {})
  if (mimeType.startsWith('image/')) return { type: 'image', data, mimeType, ...named }
  if (mimeType.startsWith('audio/')) return { type: 'audio', data, mimeType, ...named }
  const type = typeof mediaType === 'string' ? mediaType : mimeType
  const uri = typeof name === 'string' ? name : 'file'
  return { type: 'resource', resource: { uri, mimeType: type, blob: data } }
}

function readAudio(audio: unknown): ContentBlock | undefined {
  if (!isJsonObject(audio)) return undefined
  const data = getOwnField(audio, 'data')
  const format = getOwnField(audio, 'format')
  if (typeof data !== 'string' || typeof format !== 'string') return undefined
  return { type: 'audio', data, mimeType: `audio/${format}` }
}

function readDocument(block: JsonObject): ContentBlock | undefined {
  const source = getOwnField(block, 'source')
  const title = getOwnField(block, 'title')
  if (!isJsonObject(source)) return undefined
  if (getOwnField(source, 'type') === 'url')
    return linkBlock(getOwnField(source, 'url'), title ?? 'document')
  const data = getOwnField(source, 'data')
  const mimeType = getOwnField(source, 'media_type')
  if (typeof data !== 'string' || typeof mimeType !== 'string') return undefined
  const about = { uri: typeof title === 'string' ? title : 'document', mimeType }
  const isText = getOwnField(source, 'type') === 'text'
  return {
    type: 'resource',
    resource: isText ? { ...about, text: data } : { ...about, blob: data },
  }
}

function toJsonTextBlock(block: unknown): ContentBlock {
  const kind = isJsonObject(block) ? getOwnField(block, 'type') : typeof block
  const text = JSON.stringify(block) ?? ''
  return {
    type: 'text',
    text,
    mimeType: 'application/json',
    _meta: { [META_IMPORTED_BLOCK]: { kind } },
  }
}
