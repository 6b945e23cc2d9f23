import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { getOwnField, formatValue } from '@toolblocks/protocol/internal'
import { readBlocks } from '../convert/decode-tool-result.ts'
import {
  type ImportedPart,
  readAbout,
  readExportFile,
  readMessages,
  omitFields,
  createModelUsage,
  createPlace,
} from '../convert/read-messages.ts'
import { type ReadConversation, readTime } from '../convert/read-conversation.ts'
import { readArguments } from '../convert/read-part.ts'
import { getInner, type SourceRecord } from '../records/records.ts'
import type { SourceDocument } from '../records/split-document.ts'
import type { SplitSource } from '../sources/source.ts'

/** Whether a document is an export of ChatGPT: conversations, each with a tree of messages under `mapping`. */
export function isChatGpt({ document }: SplitSource): boolean {
  const { shape, list, records } = document
  if (shape === 'object') return list === 'mapping'
  const first = records[0]?.value
  return shape === 'array' && first !== undefined && isJsonObject(getOwnField(first, 'mapping'))
}

export function readChatGpt(source: SplitSource): readonly ReadConversation[] {
  return readExportFile(source, (...own) => readTree(source, ...own))
}

function readTree(
  source: SplitSource,
  document: SourceDocument,
  problems: SourceDocument['problems'],
): ReadConversation {
  const { fields } = document
  const nodes = new Map(document.records.map((record) => [getOwnField(record.value, 'id'), record]))
  const records = sortMessages(document.records, nodes)
  const calls: CallNames = new Map()
  const parents = findParents(records, nodes)
  const leaf = getOwnField(fields, 'current_node')
  const start = readTime(getOwnField(fields, 'create_time'))
  // A node without a message is the root of the tree.
  const mapping = Object.fromEntries(
    document.records
      .filter(({ value }) => !isJsonObject(getOwnField(value, 'message')))
      .map(({ value }) => [readId(value), value]),
  )
  const own = {
    ...source,
    document: { ...document, records, problems: [...problems, ...document.problems] },
  }
  return readMessages(own, {
    format: 'chatgpt',
    id: getOwnField(fields, 'conversation_id') ?? getOwnField(fields, 'id'),
    title: getOwnField(fields, 'title'),
    startedAt: start,
    about: {
      ...fields,
      mapping,
      ...readAbout({ model: getOwnField(fields, 'default_model_slug') }),
    },
    readParts: (node) => readParts(node, calls),
    readPlace: (node) => createPlace(getOwnField(node, 'id'), parents.get(node) ?? null),
    leaf: typeof leaf === 'string' ? { after: leaf } : undefined,
    readFields,
    readMessage: (node) =>
      createModelUsage(getInner(node, 'message', 'metadata', 'model_slug'), undefined),
    readTime: (node) => readTime(getInner(node, 'message', 'create_time')),
  })
}

/**
 * Returns messages in the order in which they were written, each after the one that it follows. Nodes without a message, such as the root, are
 * omitted.
 */
function sortMessages(
  records: readonly SourceRecord[],
  nodes: ReadonlyMap<unknown, SourceRecord>,
): SourceRecord[] {
  const places = new Map<SourceRecord, { at: number; depth: number }>()
  for (const record of records) {
    const above: SourceRecord[] = []
    const seen = new Set<SourceRecord>()
    let next: SourceRecord | undefined = record
    while (next && !places.has(next) && !seen.has(next)) {
      above.push(next)
      seen.add(next)
      next = nodes.get(getOwnField(next.value, 'parent'))
    }
    let position = (next && places.get(next)) ?? { at: 0, depth: 0 }
    for (const each of above.toReversed()) {
      const created = getInner(each.value, 'message', 'create_time')
      const time = typeof created === 'number' && created > position.at ? created : position.at
      position = { at: time, depth: position.depth + 1 }
      places.set(each, position)
    }
  }
  return records
    .filter(({ value }) => isJsonObject(getOwnField(value, 'message')))
    .toSorted((one, other) => {
      const [left, right] = [places.get(one), places.get(other)]
      return (left?.at ?? 0) - (right?.at ?? 0) || (left?.depth ?? 0) - (right?.depth ?? 0)
    })
}

/** Finds the message that each message follows. Nodes without a message are passed over; what follows none is at the beginning. */
function findParents(
  records: readonly SourceRecord[],
  nodes: ReadonlyMap<unknown, SourceRecord>,
): ReadonlyMap<JsonObject, string> {
  const parents = new Map<JsonObject, string>()
  const above = new Map<unknown, string | undefined>()
  for (const { value } of records) {
    const passed = new Set<unknown>()
    let id = getOwnField(value, 'parent')
    let ancestor: string | undefined
    while (typeof id === 'string' && !passed.has(id)) {
      const node = nodes.get(id)
      if (above.has(id)) ancestor = above.get(id)
      else if (node && isJsonObject(getOwnField(node.value, 'message'))) ancestor = id
      if (ancestor !== undefined || !node || above.has(id)) break
      passed.add(id)
      id = getOwnField(node.value, 'parent')
    }
    for (const each of passed) above.set(each, ancestor)
    if (ancestor !== undefined) parents.set(value, ancestor)
  }
  return parents
}

/** Maps ids of messages to the ids of their calls. */
type CallNames = Map<unknown, string>

function readParts(node: JsonObject, calls: CallNames): readonly ImportedPart[] {
  const message = getOwnField(node, 'message')
  const content = isJsonObject(message) ? getOwnField(message, 'content') : undefined
  if (!isJsonObject(message) || !isJsonObject(content)) return []
  const role = getInner(message, 'author', 'role')
  if (role === 'system') return [{ kind: 'configuration', values: { role, content } }]
  if (role === 'tool') return [{ kind: 'result', result: readResult(node, content, calls) }]
  if (isCall(node)) {
    calls.set(readId(node), readId(node))
    return [readCall(node, content)]
  }
  const by = role === 'user' ? 'user' : 'assistant'
  switch (getOwnField(content, 'content_type')) {
    case 'thoughts':
      return readThoughts(getOwnField(content, 'thoughts'))
    case 'reasoning_recap': {
      const text = getOwnField(content, 'content')
      return typeof text === 'string' ? [{ kind: 'thought', text, raw: content }] : []
    }
    case 'user_editable_context':
    case 'model_editable_context':
      return [{ kind: 'configuration', values: content }]
    default:
      return readContentBlocks(content).map((block) => ({ kind: 'said', by, block }))
  }
}

/** Whether a message of a model is only for a tool. */
function isCall(node: JsonObject): boolean {
  const to = getInner(node, 'message', 'recipient')
  return (
    typeof to === 'string' &&
    to !== 'all' &&
    getInner(node, 'message', 'author', 'role') === 'assistant'
  )
}

function readCall(node: JsonObject, content: JsonObject): ImportedPart {
  const parts = getOwnField(content, 'parts')
  const input: unknown = Array.isArray(parts) ? parts[0] : getOwnField(content, 'text')
  const isWhole = input !== undefined && (!Array.isArray(parts) || parts.length === 1)
  const name = formatValue(getInner(node, 'message', 'recipient'))
  const call = { id: readId(node), name, arguments: isWhole ? readArguments(input) : content }
  return { kind: 'call', call }
}

function readId(node: JsonObject): string {
  return formatValue(getOwnField(node, 'id') ?? '')
}

/** Reads a result, which follows its call or another result of it. */
function readResult(
  node: JsonObject,
  content: JsonObject,
  calls: CallNames,
): Extract<ImportedPart, { kind: 'result' }>['result'] {
  const id = calls.get(getOwnField(node, 'parent'))
  if (id !== undefined) calls.set(readId(node), id)
  const status = getInner(node, 'message', 'metadata', 'aggregate_result', 'status')
  const hasFailed = typeof status === 'string' && status.startsWith('failed')
  return {
    ...(id !== undefined && { id }),
    content: readBlocks(readContentBlocks(content)),
    isError: hasFailed || getOwnField(content, 'content_type') === 'system_error',
  }
}

function readThoughts(thoughts: unknown): readonly ImportedPart[] {
  if (!Array.isArray(thoughts)) return []
  return thoughts.filter(isJsonObject).map((raw): ImportedPart => {
    const texts = [getOwnField(raw, 'summary'), getOwnField(raw, 'content')]
    const text = texts.filter((word) => typeof word === 'string' && word !== '').join('\n')
    return { kind: 'thought', text, raw }
  })
}

const TEXT_ALONE: ReadonlySet<string> = new Set([
  'content_type',
  'text',
  'language',
  'response_format_name',
])

/** Returns texts and pictures; content of any other kind becomes its JSON. */
function readContentBlocks(content: JsonObject): readonly unknown[] {
  const parts = getOwnField(content, 'parts')
  if (Array.isArray(parts)) return parts.map(toBlock)
  const text = getOwnField(content, 'text')
  const isText = Object.keys(content).every((name) => TEXT_ALONE.has(name))
  return [typeof text === 'string' && isText ? text : content]
}

/** Converts a picture, which is a file beside the export, under the name in its pointer. */
function toBlock(part: unknown): unknown {
  const uri = getInner(part, 'asset_pointer')
  if (typeof uri === 'string') return { type: 'resource_link', uri, name: uri, _meta: { part } }
  const text = getInner(part, 'text')
  return getInner(part, 'content_type') === 'audio_transcription' && typeof text === 'string'
    ? text
    : part
}

/** Returns the fields that are read from content of a kind. */
function readTold(content: JsonObject): readonly string[] {
  const type = getOwnField(content, 'content_type')
  if (type === 'thoughts') return ['content_type', 'thoughts']
  if (type === 'reasoning_recap') return ['content_type', 'content']
  return ['content_type', Array.isArray(getOwnField(content, 'parts')) ? 'parts' : 'text']
}

/** Returns the place in the tree, and other fields of a message. */
function readFields(node: JsonObject): JsonObject {
  const message = getOwnField(node, 'message')
  const content = getInner(message, 'content')
  const rest = isJsonObject(content) ? omitFields(content, readTold(content)) : {}
  return {
    ...omitFields(node, ['message']),
    ...(isJsonObject(message) && {
      message: {
        ...omitFields(message, ['id', 'content', 'create_time']),
        ...(Object.keys(rest).length > 0 && { content: rest }),
      },
    }),
  }
}
