import { type ParsedMcpResult, parseToolResult } from '@toolblocks/parser'
import {
  describeQuestion,
  isRepeatedContent,
  replaceMedia,
  requireArguments,
  formatByteSize,
  formatNote,
  getBase64ByteLength,
  getOwnField,
} from '@toolblocks/protocol/internal'
import {
  isContentBlock,
  type JsonObject,
  type ToolResult,
  isJsonObject,
} from '@toolblocks/protocol'

/**
 * Reads the `CallToolResult` of a server: its blocks in their order with every field, even unknown ones. Fields in `_meta["toolblocks/fields"]` are
 * moved back to their place. Never throws; `kind` says which other value was received.
 */
export function fromCallToolResult(result: unknown): ParsedMcpResult {
  return parseToolResult(restoreResult(withoutServerInfo(result)), { from: 'mcp' })
}

/** The server's data about itself, which every result of MCP 2026-07-28 contains. */
const SERVER_INFO = 'io.modelcontextprotocol/serverInfo'

function withoutServerInfo(result: unknown): unknown {
  if (!isJsonObject(result)) return result
  const { _meta: meta } = result
  if (!isJsonObject(meta) || !Object.hasOwn(meta, SERVER_INFO)) return result
  const { _meta: _removed, ...rest } = result
  const { [SERVER_INFO]: _info, ...others } = meta
  return { ...rest, ...(Object.keys(others).length > 0 && { _meta: others }) }
}

/**
 * Returns a result as MCP's `CallToolResult`. A result that `fromCallToolResult` read without a warning comes out deeply equal, except that an
 * absent `isError` becomes `false`. A repaired result stays as it was repaired. Fields of the host (`id`, `metadata`) are omitted. A question
 * becomes a text, because MCP has no such block.
 */
export function toCallToolResult(result: ToolResult): JsonObject {
  requireArguments('toCallToolResult(result)', [result, { content: 'array' }])
  const { id: _id, metadata: _metadata, content, isError, ...rest } = result
  return {
    content: content.map((block) =>
      block.type === 'question' ? { type: 'text', text: describeQuestion(block.question) } : block,
    ),
    ...(isError && { isError }),
    ...rest,
  }
}

/** `_meta` key for fields that MCP's SDKs would drop, of the object that has the `_meta`. */
const META_FIELDS = 'toolblocks/fields'

const BLOCK = ['type', 'annotations', '_meta']

const BLOCK_FIELDS: Readonly<Record<string, readonly string[]>> = {
  text: [...BLOCK, 'text'],
  image: [...BLOCK, 'data', 'mimeType'],
  audio: [...BLOCK, 'data', 'mimeType'],
  resource: [...BLOCK, 'resource'],
  resource_link: [...BLOCK, 'uri', 'name', 'title', 'description', 'mimeType', 'size', 'icons'],
}

const RESOURCE_FIELDS = ['uri', 'mimeType', 'text', 'blob', '_meta']

const ANNOTATION_FIELDS = ['audience', 'priority', 'lastModified']

/** A range of versions of MCP: up to 2025-11-25, or 2026-07-28. */
export type ProtocolVersion = '2025-11-25' | '2026-07-28'

/** `_meta` key of a text block that repeats the structured content for clients of MCP up to 2025-11-25. */
const META_REPEATS = 'toolblocks/repeats'

/**
 * Returns a result that SDKs accept completely: fields that MCP does not define are in `_meta`. Structured content that a client of this version would not
 * see is also a text at the end, unless the content says it already; this project's client removes that text.
 */
export function toStrictResult(result: JsonObject, protocolVersion: ProtocolVersion): JsonObject {
  const content = Array.isArray(result['content']) ? result['content'].map(toStrictBlock) : []
  const { structuredContent } = result
  const moved: string[] = []
  const isOlder = protocolVersion === '2025-11-25' && 'structuredContent' in result
  // Before MCP 2026-07-28, only an object is allowed here.
  if (isOlder && !isJsonObject(structuredContent)) moved.push('structuredContent')
  // Versions before 2025-06-18 have only content.
  if (isOlder && (moved.length > 0 || content.length === 0)) {
    const text = repeatAsText(result)
    if (text) content.push(text)
  }
  // In MCP 2026-07-28 every result has one, with the server's data about itself.
  const { _meta: meta } = result
  if (protocolVersion === '2026-07-28' && isJsonObject(meta) && Object.keys(meta).length === 0)
    moved.push('_meta')
  return { ...moveFields(result, moved), content }
}

/** Returns structured content as a text block; `undefined` if the content says it already. */
function repeatAsText({ content, structuredContent }: JsonObject): JsonObject | undefined {
  const blocks = (Array.isArray(content) ? content : []).filter(isContentBlock)
  if (structuredContent === undefined || isRepeatedContent(blocks, structuredContent))
    return undefined
  const replaced = replaceMedia(
    blocks,
    structuredContent,
    ({ mimeType = 'unknown type', data }) => {
      const size = formatByteSize(getBase64ByteLength(data))
      return formatNote(`${mimeType}, ${size}, in structuredContent`)
    },
  )
  const text = typeof replaced === 'string' ? replaced : JSON.stringify(replaced)
  return { type: 'text', text, _meta: { [META_REPEATS]: 'structuredContent' } }
}

/** Returns a result with other structured content for clients; this project's client restores the original. */
export function withStructuredContent(result: JsonObject, data: unknown): JsonObject {
  return { ...moveFields(result, ['structuredContent']), structuredContent: data }
}

/** Reverses `toStrictResult`; returns any other value unchanged. */
function restoreResult(value: unknown): unknown {
  if (!isJsonObject(value)) return value
  const restored = restoreFields(value)
  const { content } = restored
  if (!Array.isArray(content)) return restored
  const serverBlocks =
    'structuredContent' in restored ? content.filter((block) => !isRepeat(block)) : content
  return serverBlocks.length < content.length || serverBlocks.some(hasMoved)
    ? { ...restored, content: serverBlocks.map(restoreBlock) }
    : restored
}

function isRepeat(block: unknown): boolean {
  const meta = isJsonObject(block) ? block['_meta'] : undefined
  return isJsonObject(meta) && getOwnField(meta, META_REPEATS) === 'structuredContent'
}

function toStrictBlock(block: unknown): unknown {
  if (!isJsonObject(block)) return block
  const { type } = block
  const known = typeof type === 'string' ? getOwnField(BLOCK_FIELDS, type) : undefined
  if (!Array.isArray(known)) return block
  const { resource } = block
  const inner = isJsonObject(resource)
    ? { resource: moveFields(resource, findUnknownKeys(resource, RESOURCE_FIELDS)) }
    : {}
  const moved = findUnknownKeys(block, known)
  const { annotations } = block
  if (!isJsonObject(annotations) || findUnknownKeys(annotations, ANNOTATION_FIELDS).length === 0)
    return { ...moveFields(block, moved), ...inner }
  // The blocks that MCP defines stay; the complete list is added.
  const kept = Object.fromEntries(
    Object.entries(annotations).filter(([name]) => ANNOTATION_FIELDS.includes(name)),
  )
  return { ...moveFields(block, [...moved, 'annotations']), annotations: kept, ...inner }
}

function findUnknownKeys(object: JsonObject, known: readonly string[]): readonly string[] {
  return Object.keys(object).filter((name) => !known.includes(name))
}

function moveFields(object: JsonObject, names: readonly string[]): JsonObject {
  if (names.length === 0) return object
  const rest = Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))
  const { _meta: meta } = object
  // Whether there was an empty one cannot be known any more.
  const isEmpty = isJsonObject(meta) && Object.keys(meta).length === 0
  const fields = Object.fromEntries(
    [...names, ...(isEmpty ? ['_meta'] : [])].map((name) => [name, object[name]]),
  )
  return { ...rest, _meta: { ...(isJsonObject(meta) && meta), [META_FIELDS]: fields } }
}

function hasMoved(block: unknown): boolean {
  return (
    isJsonObject(block) &&
    (getFields(block) !== undefined ||
      (isJsonObject(block['resource']) && getFields(block['resource']) !== undefined))
  )
}

function restoreBlock(block: unknown): unknown {
  if (!isJsonObject(block)) return block
  const restored = restoreFields(block)
  const { resource } = restored
  return isJsonObject(resource) ? { ...restored, resource: restoreFields(resource) } : restored
}

function restoreFields(object: JsonObject): JsonObject {
  const fields = getFields(object)
  if (!fields) return object
  const { _meta: meta, ...rest } = object
  const { [META_FIELDS]: _moved, ...others } = isJsonObject(meta) ? meta : {}
  return { ...rest, ...(Object.keys(others).length > 0 && { _meta: others }), ...fields }
}

function getFields({ _meta: meta }: JsonObject): JsonObject | undefined {
  const fields = isJsonObject(meta) ? getOwnField(meta, META_FIELDS) : undefined
  return isJsonObject(fields) ? fields : undefined
}
