import type { FormatName } from '@toolblocks/conversation-store'
import {
  type JsonObject,
  type TokenUsage,
  type ToolResult,
  isJsonObject,
} from '@toolblocks/protocol'
import { getOwnField, MAX_IMPORT_FILE_BYTES } from '@toolblocks/protocol/internal'
import { readBlocks } from '../convert/decode-tool-result.ts'
import {
  type MessageReader,
  type ImportedPart,
  readAbout,
  readMessages,
  omitFields,
  createModelUsage,
  createPlace,
} from '../convert/read-messages.ts'
import type { Leaf } from '../convert/place-branches.ts'
import { type ReadConversation, readTime } from '../convert/read-conversation.ts'
import { readArguments } from '../convert/read-part.ts'
import { readSum, toUsage } from '../convert/read-usage.ts'
import {
  getInner,
  getTexts,
  parseInner,
  parseObject,
  readRecord,
  startRecords,
  addLostProblem,
} from '../records/records.ts'
import type { ImportSource, SplitSource } from '../sources/source.ts'
import { hasColumns, type SqliteSource, withoutBytes } from '../sources/sqlite-source.ts'

/** Whether a document is a session of opencode: an export, or the file of a session in its storage, whose messages are in files around it. */
export function isOpencode({ document }: SplitSource): boolean {
  const { list, fields, records } = document
  if (list === 'messages') return isSession(getOwnField(fields, 'info'))
  const [only, ...others] = records
  return others.length === 0 && list === undefined && isSession(only ? only.value : fields)
}

function isSession(info: unknown): info is JsonObject {
  const names = ['id', 'title', 'version', 'directory']
  return (
    isJsonObject(info) &&
    names.every((name) => typeof getOwnField(info, name) === 'string') &&
    isJsonObject(getOwnField(info, 'time'))
  )
}

export function readOpencode(source: SplitSource): readonly ReadConversation[] {
  const { document } = source
  if (document.list === 'messages') {
    const { info, ...fields } = document.fields
    const session = isJsonObject(info) ? info : {}
    return [readMessages(source, readReader('opencode', session, { document, fields }))]
  }
  const session = document.records[0]?.value ?? document.fields
  const messages = openMessages(source, session)
  return [
    readMessages(
      { ...source, document: messages },
      readReader('opencode', session, { document: messages }),
    ),
  ]
}

const NAME = /^[\w-]+(?:\.json)?$/
/** Where the messages of a session are, relative to its file: since 2025, and before. */
const LAYOUTS: readonly [messages: string, isNested: string][] = [
  ['../../message', ''],
  ['../message', 'nested'],
]

/** Reads each message with its parts as one record, which has the bytes of its files in the form of an export. */
function openMessages(source: SplitSource, session: JsonObject): SplitSource['document'] {
  const { beside, inside, document } = source
  const into = {
    ...document,
    ...startRecords(Number.MAX_SAFE_INTEGER),
    problems: document.problems,
  }
  const id = getOwnField(session, 'id')
  if (typeof id !== 'string' || !NAME.test(id)) return into
  const [messages, isNested] =
    LAYOUTS.find(([folder]) => inside(`${folder}/${id}`).length > 0) ?? []
  if (messages === undefined) return into
  let left = MAX_IMPORT_FILE_BYTES
  const read = (path: string): Uint8Array | undefined => {
    const bytes = left > 0 ? beside(path) : undefined
    left -= bytes?.length ?? 0
    if (bytes && left > 0 && parseObject(bytes)) return bytes
    addLostProblem(into, bytes ?? new Uint8Array(), 0)
    return undefined
  }
  const ofParts = messages.replace('message', 'part')
  for (const name of inside(`${messages}/${id}`).filter((each) => NAME.test(each))) {
    const info = read(`${messages}/${id}/${name}`) ?? Buffer.from('{}')
    const ownId = getInner(parseObject(info), 'id')
    const own = typeof ownId === 'string' && NAME.test(ownId) ? ownId : name.replace(/\.json$/, '')
    const folder = isNested ? `${ofParts}/${id}/${own}` : `${ofParts}/${own}`
    const parts = inside(folder).filter((each) => NAME.test(each))
    const whole = parts
      .map((part) => read(`${folder}/${part}`))
      .filter((part) => part !== undefined)
    readRecord(joined(info, whole), into)
  }
  return into
}

function joined(info: Uint8Array, parts: readonly Uint8Array[]): Uint8Array {
  const rest = parts.flatMap((part, index) => [Buffer.from(index === 0 ? '' : ','), part])
  return Buffer.concat([
    Buffer.from('{"info":'),
    info,
    Buffer.from(',"parts":['),
    ...rest,
    Buffer.from(']}'),
  ])
}

/** Whether a database is one of opencode since 2026. */
export function isOpencodeDatabase(database: SqliteSource): boolean {
  return (
    hasColumns(database, 'session', ['id', 'title', 'directory', 'version']) &&
    hasColumns(database, 'message', ['id', 'session_id', 'time_created', 'data']) &&
    hasColumns(database, 'part', ['id', 'message_id', 'session_id', 'data'])
  )
}

export function readOpencodeDatabase(
  database: SqliteSource,
  { path, modifiedAt }: Pick<ImportSource, 'path' | 'modifiedAt'>,
): readonly ReadConversation[] {
  const columns = database.tables.get('session')?.held ?? []
  return database.all({ table: 'session', columns, order: ['id'] }).map((row) => {
    const where = { session_id: String(row['id']) }
    const parts = Map.groupBy(
      database.all({ table: 'part', columns: ['id', 'message_id', 'data'], where, order: ['id'] }),
      (part) => String(part['message_id']),
    )
    const order = ['time_created', 'id']
    const messages = database.all({ table: 'message', columns: ['id', 'data'], where, order })
    const records = messages.map((message) => {
      const own = parts.get(String(message['id'])) ?? []
      const value = { info: readData(message), parts: own.map(readData) }
      return { value, bytes: Buffer.from(JSON.stringify(value)) }
    })
    const document = {
      shape: 'array' as const,
      fields: {},
      ...startRecords(Number.MAX_SAFE_INTEGER),
      records,
    }
    return readMessages(
      { path, modifiedAt, document },
      readReader('opencode-sqlite', withoutBytes(row), { document }),
    )
  })
}

/** Returns the data of a row with its id. A value that is not a JSON object is kept unchanged. */
function readData(row: Readonly<Record<string, unknown>>): JsonObject {
  const data = typeof row['data'] === 'string' ? parseInner(row['data']) : undefined
  return { id: String(row['id']), ...(isJsonObject(data) ? data : { data: String(row['data']) }) }
}

function readReader(
  format: Extract<FormatName, 'opencode' | 'opencode-sqlite'>,
  session: JsonObject,
  { document, fields }: { document: SplitSource['document']; fields?: JsonObject },
): MessageReader {
  const records = document.records.map(({ value }) => value)
  return {
    format,
    id: getOwnField(session, 'id'),
    title: getOwnField(session, 'title'),
    startedAt: readTime(
      getInner(session, 'time', 'created') ?? getOwnField(session, 'time_created'),
    ),
    about: {
      ...fields,
      session,
      ...readAbout({
        folder: getOwnField(session, 'directory'),
        model: getTexts(records, 'info', 'modelID').at(-1),
        version: getOwnField(session, 'version'),
      }),
    },
    readPlace: ({ info }) => createPlace(getInner(info, 'id'), undefined),
    leaf: readLeaf(session),
    readParts,
    readFields,
    readMessage: ({ info }) =>
      createModelUsage(
        getInner(info, 'modelID') ?? getInner(info, 'model', 'modelID'),
        usageOfMessage(getInner(info, 'tokens')),
      ),
    readTime: ({ info }) => readTime(getInner(info, 'time', 'created')),
  }
}

/**
 * Reads where a session that was reverted continues: before the message that the person took back, or after it if only later parts of it were taken
 * back. opencode deletes the messages only when the person writes the next one.
 */
function readLeaf(session: JsonObject): Leaf | undefined {
  const revert = getOwnField(session, 'revert')
  const value = typeof revert === 'string' ? parseInner(revert) : revert
  const id = getInner(value, 'messageID')
  if (typeof id !== 'string') return undefined
  return typeof getInner(value, 'partID') === 'string' ? { after: id } : { before: id }
}

/**
 * Reads the usage of a message. The input excludes tokens that a cache read or wrote. The output excludes reasoning, unless the total shows that it
 * is included.
 */
function usageOfMessage(tokens: unknown): TokenUsage | undefined {
  const [input, output, reasoning, total] = ['input', 'output', 'reasoning', 'total'].map((name) =>
    getInner(tokens, name),
  )
  const [read, write] = [getInner(tokens, 'cache', 'read'), getInner(tokens, 'cache', 'write')]
  const isWithout = total !== undefined && total === readSum(input, output, reasoning, read, write)
  return toUsage({
    inputTokens: readSum(input, read, write),
    cachedInputTokens: read,
    cacheWriteTokens: write,
    outputTokens: isWithout ? readSum(output, reasoning) : output,
    reasoningTokens: reasoning,
  })
}

function readParts(record: JsonObject): readonly ImportedPart[] {
  const by = getInner(getOwnField(record, 'info'), 'role') === 'user' ? 'user' : 'assistant'
  const parts = partsIn(record).flatMap((part) => (isTold(part) ? readOwn(part, by) : []))
  // An interrupted message has token usage and may have the reason of its end.
  const isSilent =
    parts.length === 0 && getInner(getOwnField(record, 'info'), 'role') === 'assistant'
  return isSilent ? [{ kind: 'silent' }] : parts
}

function partsIn(record: JsonObject): readonly JsonObject[] {
  const parts = getOwnField(record, 'parts')
  return Array.isArray(parts) ? parts.filter(isJsonObject) : []
}

const EVENT_PARTS: ReadonlySet<unknown> = new Set(['text', 'reasoning', 'file', 'tool'])

function isTold(part: JsonObject): boolean {
  return EVENT_PARTS.has(getOwnField(part, 'type'))
}

function readOwn(part: JsonObject, by: 'user' | 'assistant'): readonly ImportedPart[] {
  switch (getOwnField(part, 'type')) {
    case 'reasoning': {
      const text = getOwnField(part, 'text')
      return [{ kind: 'thought', text: typeof text === 'string' ? text : '', raw: part }]
    }
    case 'tool':
      return readTool(part)
    case 'file':
      return [{ kind: 'said', by, block: toFile(part) }]
    default:
      return [{ kind: 'said', by, block: omitFields(part, ['id', 'sessionID', 'messageID']) }]
  }
}

function toFile(part: unknown): JsonObject {
  return {
    type: 'file',
    url: getInner(part, 'url'),
    mediaType: getInner(part, 'mime'),
    filename: getInner(part, 'filename'),
  }
}

function readTool(part: JsonObject): readonly ImportedPart[] {
  const [id, name, state] = [
    getOwnField(part, 'callID'),
    getOwnField(part, 'tool'),
    getOwnField(part, 'state'),
  ]
  if (typeof id !== 'string' || typeof name !== 'string' || !isJsonObject(state))
    return [{ kind: 'said', by: 'assistant', block: part }]
  const call = { id, name, arguments: readArguments(getOwnField(state, 'input')) }
  const fields = omitFields(state, ['input', 'output', 'error', 'attachments'])
  const result = readResult(state)
  return result
    ? [
        { kind: 'call', call },
        { kind: 'result', result: { ...result, id }, fields },
      ]
    : [{ kind: 'call', call, fields }]
}

function readResult(state: JsonObject): ToolResult | undefined {
  const attached = getOwnField(state, 'attachments')
  const files = Array.isArray(attached) ? attached.map(toFile) : []
  switch (getOwnField(state, 'status')) {
    case 'completed':
      return { content: readBlocks([getOwnField(state, 'output') ?? '', ...files]), isError: false }
    case 'error':
      return { content: readBlocks([getOwnField(state, 'error') ?? '']), isError: true }
    default:
      return undefined
  }
}

/** Returns other fields of a message, and the parts that only the program needs: steps, snapshots, patches. */
function readFields(record: JsonObject): JsonObject {
  const info = getOwnField(record, 'info')
  const rest = partsIn(record).filter((part) => !isTold(part))
  return {
    ...(isJsonObject(info) && omitFields(info, ['role', 'modelID', 'tokens', 'sessionID'])),
    ...(rest.length > 0 && { parts: rest }),
  }
}
