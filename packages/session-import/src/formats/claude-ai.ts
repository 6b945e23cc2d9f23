import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { getOwnField, formatValue } from '@toolblocks/protocol/internal'
import { readBlocks } from '../convert/decode-tool-result.ts'
import { readArguments, readPart } from '../convert/read-part.ts'
import {
  type ImportedPart,
  createPlace,
  readAbout,
  readExportFile,
  readMessages,
  omitFields,
} from '../convert/read-messages.ts'
import type { RecordPlace } from '../convert/place-branches.ts'
import { type ReadConversation, readTime } from '../convert/read-conversation.ts'
import type { SourceDocument } from '../records/split-document.ts'
import type { SplitSource } from '../sources/source.ts'

/** Whether a document is an export of claude.ai: conversations, each with `chat_messages`. */
export function isClaudeAi({ document }: SplitSource): boolean {
  const { shape, list, records } = document
  if (shape === 'object') return list === 'chat_messages'
  const first = records[0]?.value
  return first !== undefined && Array.isArray(getOwnField(first, 'chat_messages'))
}

export function readClaudeAi(source: SplitSource): readonly ReadConversation[] {
  return readExportFile(source, (...own) => readOne(source, ...own))
}

function readOne(
  source: SplitSource,
  document: SourceDocument,
  problems: SourceDocument['problems'],
): ReadConversation {
  const { fields } = document
  const own = {
    ...source,
    document: { ...document, problems: [...problems, ...document.problems] },
  }
  const calls: string[] = []
  const uuids = new Set(document.records.map(({ value }) => getOwnField(value, 'uuid')))
  const leaf = getOwnField(fields, 'current_leaf_message_uuid')
  return readMessages(own, {
    format: 'claude-ai',
    id: getOwnField(fields, 'uuid'),
    title: getOwnField(fields, 'name') || undefined,
    startedAt: readTime(getOwnField(fields, 'created_at')),
    about: { ...fields, ...readAbout({ model: getOwnField(fields, 'model') }) },
    readParts: (message) => readParts(message, calls),
    readPlace: (message) => readPlace(message, uuids),
    leaf: typeof leaf === 'string' ? { after: leaf } : undefined,
    readFields,
  })
}

/** Reads the place of a message. The parent of the first one is no message. */
function readPlace(message: JsonObject, uuids: ReadonlySet<unknown>): RecordPlace {
  const parent = getOwnField(message, 'parent_message_uuid')
  const isFirst = typeof parent === 'string' && !uuids.has(parent)
  return createPlace(getOwnField(message, 'uuid'), isFirst ? null : parent)
}

/** Reads the parts of a message. `calls` contains the ids of calls without a result. */
function readParts(message: JsonObject, calls: string[]): readonly ImportedPart[] {
  const by = getOwnField(message, 'sender') === 'human' ? 'user' : 'assistant'
  const content = readContent(message)
  const spoken = content.flatMap((part, index): readonly ImportedPart[] => {
    if (!isJsonObject(part)) return [{ kind: 'said', by, block: part }]
    switch (getOwnField(part, 'type')) {
      case 'token_budget':
        return []
      case 'tool_use':
        return [
          readCall(part, `${formatValue(getOwnField(message, 'uuid') ?? '')}-${index + 1}`, calls),
        ]
      case 'tool_result':
        return [readResult(part, calls)]
      default:
        return readPart(part, by)
    }
  })
  return [
    ...spoken,
    ...attached(message).map((block): ImportedPart => ({ kind: 'said', by, block })),
  ]
}

/** Returns the content of a message. Older exports have only a text. */
function readContent(message: JsonObject): readonly unknown[] {
  const content = getOwnField(message, 'content')
  if (Array.isArray(content) && content.length > 0) return content
  const text = getOwnField(message, 'text')
  return typeof text === 'string' && text !== '' ? [text] : []
}

/** Reads a call. Exports omit ids, so the place of the call identifies it, and the next result belongs to it. */
function readCall(part: JsonObject, position: string, calls: string[]): ImportedPart {
  const ownId = getOwnField(part, 'id')
  const id = typeof ownId === 'string' ? ownId : position
  calls.push(id)
  const name = formatValue(getOwnField(part, 'name') ?? '')
  const call = { id, name, arguments: readArguments(getOwnField(part, 'input')) }
  return { kind: 'call', call, fields: omitFields(part, ['type', 'id', 'name', 'input']) }
}

function readResult(part: JsonObject, calls: string[]): ImportedPart {
  const callId = getOwnField(part, 'tool_use_id')
  const index = typeof callId === 'string' ? calls.indexOf(callId) : 0
  const [next] = index === -1 ? [] : calls.splice(index, 1)
  const id = typeof callId === 'string' ? callId : next
  const content = readBlocks(getOwnField(part, 'content'))
  const isError = getOwnField(part, 'is_error') === true
  return {
    kind: 'result',
    result: { ...(id !== undefined && { id }), content, isError },
    fields: omitFields(part, ['type', 'tool_use_id', 'content', 'is_error']),
  }
}

/** Returns attachments as resources. The export has the text of a file but not the file itself. */
function attached(message: JsonObject): readonly unknown[] {
  return ['attachments', 'files'].flatMap((name) => {
    const files = getOwnField(message, name)
    return (Array.isArray(files) ? files : []).map((file: unknown) => {
      if (!isJsonObject(file)) return file
      const { file_name: uri, extracted_content: text, ...rest } = file
      if (typeof uri !== 'string') return file
      const _meta = { file: rest }
      if (typeof text === 'string') return { type: 'resource', resource: { uri, text }, _meta }
      return { type: 'resource_link', uri, name: uri, _meta }
    })
  })
}

/** Returns other fields of a message. Its text is omitted if one of its blocks contains it. */
function readFields(message: JsonObject): JsonObject {
  const text = getOwnField(message, 'text')
  const content = readContent(message)
  const isTold = content.some(
    (part) => part === text || (isJsonObject(part) && getOwnField(part, 'text') === text),
  )
  return {
    ...omitFields(message, ['sender', 'content', 'text', 'created_at', 'attachments', 'files']),
    ...(!isTold && text !== '' && text !== undefined && { text }),
  }
}
