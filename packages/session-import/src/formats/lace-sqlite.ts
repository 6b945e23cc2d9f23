import { type JsonObject, type TokenUsage, isJsonObject } from '@toolblocks/protocol'
import { getOwnField } from '@toolblocks/protocol/internal'
import { decodeToolResult, readBlocks } from '../convert/decode-tool-result.ts'
import { type ReadConversation, readRecords, readTime } from '../convert/read-conversation.ts'
import { type ImportedEvent } from '../convert/imported-event.ts'
import { readToolCall } from '../convert/read-part.ts'
import { toUsage } from '../convert/read-usage.ts'
import { getInner, type SourceRecord, parseInner } from '../records/records.ts'
import type { ImportSource } from '../sources/source.ts'
import { type SqliteSource, hasColumns, withoutBytes } from '../sources/sqlite-source.ts'

/** Whether a database is one of Lace up to 2025: threads of events, whose data is JSON text. */
export function isLaceDatabase(database: SqliteSource): boolean {
  return (
    hasColumns(database, 'threads', ['id']) &&
    hasColumns(database, 'events', ['id', 'thread_id', 'type', 'timestamp', 'data'])
  )
}

/** Reads every thread. Events of the same millisecond are in the order in which they were written. */
export function readLaceDatabase(
  database: SqliteSource,
  { path, modifiedAt }: Pick<ImportSource, 'path' | 'modifiedAt'>,
): readonly ReadConversation[] {
  const readColumns = (table: string): readonly string[] => database.tables.get(table)?.held ?? []
  const threads = database.all({ table: 'events', columns: ['thread_id'], once: {} })
  return threads.map((thread) => {
    const id = String(thread['thread_id'])
    const rows = database.all({
      table: 'events',
      columns: readColumns('events'),
      where: { thread_id: id },
      order: ['timestamp', 'rowid'],
    })
    const [about] = database.all({
      table: 'threads',
      columns: readColumns('threads'),
      where: { id },
    })
    return readRecords({
      source: path,
      format: 'lace-sqlite',
      id: `lace-${id}`,
      about: { thread: withoutBytes(about ?? {}) },
      modifiedAt,
      records: rows.map((row): SourceRecord => {
        const record = withoutBytes(row)
        return { value: record, bytes: Buffer.from(JSON.stringify(record)) }
      }),
      problems: [],
      convert: ({ value }) => {
        const time = readTime(value['timestamp'])
        const event = convertEvent(value['type'], readData(value['data']))
        return { events: event ? [event] : [], at: time }
      },
    })
  })
}

/** Parses JSON; a value that is not JSON is read as a text. */
function readData(data: unknown): unknown {
  const parsed = typeof data === 'string' ? parseInner(data) : undefined
  return parsed === undefined ? data : parsed
}

/** Converts an event of Lace by its type and data; returns `undefined` if no event exists for it. */
function convertEvent(type: unknown, data: unknown): ImportedEvent | undefined {
  const fields = isJsonObject(data) ? data : {}
  switch (type) {
    case 'USER_MESSAGE':
      return readMessage('user_message', data)
    case 'AGENT_MESSAGE':
      return readMessage('assistant_message', data)
    case 'TOOL_CALL': {
      const call = readToolCall(data)
      return call && { type: 'tool_call', call, ...rest(fields, CALL_FIELDS) }
    }
    case 'TOOL_RESULT':
      if (!isJsonObject(data)) return undefined
      return { type: 'tool_result', result: decodeToolResult(data), ...rest(fields, RESULT_FIELDS) }
    case 'TOOL_APPROVAL_RESPONSE':
      return readApproval(fields)
    case 'SYSTEM_PROMPT':
      return typeof data === 'string'
        ? { type: 'configuration', values: { systemPrompt: data } }
        : undefined
    case 'USER_SYSTEM_PROMPT':
      return typeof data === 'string'
        ? { type: 'configuration', values: { userSystemPrompt: data } }
        : undefined
    default:
      return undefined
  }
}

const CALL_FIELDS: readonly string[] = ['id', 'callId', 'name', 'toolName', 'arguments', 'input']

const RESULT_FIELDS: readonly string[] = [
  'id',
  'callId',
  'content',
  'isError',
  'status',
  'metadata',
  'output',
  'success',
  'error',
]

function rest(data: JsonObject, used: readonly string[]): { imported?: { fields: JsonObject } } {
  const others = Object.entries(data).filter(([name]) => !used.includes(name))
  return others.length === 0 ? {} : { imported: { fields: Object.fromEntries(others) } }
}

/** Reads a message: a text, in later versions with its token usage. */
function readMessage(
  type: 'user_message' | 'assistant_message',
  data: unknown,
): ImportedEvent | undefined {
  const fields = isJsonObject(data) ? data : {}
  const content = typeof data === 'string' ? data : getOwnField(fields, 'content')
  if (typeof content !== 'string' && !Array.isArray(content)) return undefined
  const message = { content: readBlocks(content), ...rest(fields, ['content']) }
  if (type === 'user_message') return { type, ...message }
  const usage = usageOfMessage(getOwnField(fields, 'tokenUsage'))
  return { type, ...message, ...(usage && { usage }) }
}

/** Reads the usage of the message. In later versions the usage of the complete thread is beside it. */
function usageOfMessage(value: unknown): TokenUsage | undefined {
  const usage = getInner(value, 'message') ?? value
  return toUsage({
    inputTokens: getInner(usage, 'promptTokens'),
    outputTokens: getInner(usage, 'completionTokens'),
  })
}

/** Reads an approval. Every value that is not a known yes is a no. */
function readApproval(data: JsonObject): ImportedEvent | undefined {
  const callId = getOwnField(data, 'toolCallId')
  const decision = getOwnField(data, 'decision')
  if (typeof callId !== 'string') return undefined
  const isYes = typeof decision === 'string' && decision.startsWith('allow')
  return {
    type: 'approval',
    callId,
    decision: isYes ? 'allowed' : 'denied',
    by: 'user',
    ...(typeof decision === 'string' && { reason: decision }),
  }
}
