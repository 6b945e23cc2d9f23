import { basename } from 'node:path'
import { type JsonObject, type ToolResult, isJsonObject } from '@toolblocks/protocol'
import { getOwnField } from '@toolblocks/protocol/internal'
import { readBlocks } from '../convert/decode-tool-result.ts'
import { fieldsOfMessage, isOpenAiMessage, messageParts } from './openai.ts'
import {
  type ImportedPart,
  readAbout,
  readMessages,
  omitFields,
  createModelUsage,
  createPlace,
  createTitle,
} from '../convert/read-messages.ts'
import { readArguments } from '../convert/read-part.ts'
import type { RecordPlace } from '../convert/place-branches.ts'
import { type ReadConversation, readTime } from '../convert/read-conversation.ts'
import { toUsage } from '../convert/read-usage.ts'
import { getInner, getTexts } from '../records/records.ts'
import { readExtra, type SplitSource } from '../sources/source.ts'

/** Whether a document is a session of GitHub Copilot CLI: lines of events with data. The first versions wrote one object with `chatMessages`. */
export function isCopilotCli({ document }: SplitSource): boolean {
  const { shape, list, fields, records } = document
  if (shape === 'object')
    return list === 'chatMessages' && typeof getOwnField(fields, 'sessionId') === 'string'
  return (
    shape === 'lines' &&
    records.slice(0, 5).some(({ value }) => {
      const type = getOwnField(value, 'type')
      const isEvent = typeof type === 'string' && /^(?:session|user|assistant|tool)\./.test(type)
      return isEvent && isJsonObject(getOwnField(value, 'data'))
    })
  )
}

export function readCopilotCli(source: SplitSource): readonly ReadConversation[] {
  return [source.document.shape === 'object' ? readOlder(source) : readEvents(source)]
}

function readOlder(source: SplitSource): ReadConversation {
  const { fields } = source.document
  return readMessages(source, {
    format: 'copilot-cli',
    id: getOwnField(fields, 'sessionId'),
    startedAt: readTime(getOwnField(fields, 'startTime')),
    about: { ...fields, ...readAbout({ model: getOwnField(fields, 'selectedModel') }) },
    readParts: (message) => (isOpenAiMessage(message) ? messageParts(message) : []),
    readFields: fieldsOfMessage,
  })
}

function readEvents(source: SplitSource): ReadConversation {
  const records = source.document.records.map(({ value }) => value)
  const starts = records.filter((record) => getOwnField(record, 'type') === 'session.start')
  const first = (...names: readonly string[]): unknown => getTexts(starts, 'data', ...names)[0]
  const started = new Set(
    records
      .filter((record) => getOwnField(record, 'type') === 'tool.execution_start')
      .map((record) => getInner(record, 'data', 'toolCallId')),
  )
  const messages = records.filter((record) => getOwnField(record, 'type') === 'assistant.message')
  return readMessages(source, {
    format: 'copilot-cli',
    id: first('sessionId'),
    title: readTitle(source),
    readTitle: (record) =>
      getOwnField(record, 'type') === 'session.title_changed'
        ? createTitle(getInner(record, 'data', 'title'), 'program')
        : undefined,
    about: readAbout({
      folder: first('context', 'cwd'),
      model: getTexts(messages, 'data', 'model').at(-1) ?? first('selectedModel'),
      gitBranch: first('context', 'branch'),
      version: first('copilotVersion'),
    }),
    readPlace,
    readParts: (record) => readParts(record, started),
    readAgent: (record) => {
      const agent = getOwnField(record, 'agentId') ?? getInner(record, 'data', 'parentToolCallId')
      return typeof agent === 'string' ? agent : undefined
    },
    readFields,
    readMessage: readModelUsage,
  })
}

/** Reads the place of an event. `session.snapshot_rewind` takes back the event with this id and those after it. */
function readPlace(record: JsonObject): RecordPlace {
  const back = getInner(record, 'data', 'upToEventId')
  return getOwnField(record, 'type') === 'session.snapshot_rewind' && typeof back === 'string'
    ? { backBefore: back }
    : createPlace(getOwnField(record, 'id'), getOwnField(record, 'parentId'))
}

/** Returns the title in a file beside a session. */
function readTitle(source: SplitSource): string | undefined {
  if (basename(source.path) !== 'events.jsonl') return undefined
  const workspace = readExtra(source, 'workspace.yaml')
  const text = workspace ? Buffer.from(workspace.subarray(0, 65_536)).toString() : ''
  const [, name] = /^(?:name|summary): *["']?([^"'\n|>][^"'\n]*)/m.exec(text) ?? []
  return name?.trim()
}

/**
 * Reads the parts of a record. A call is written when it is requested and again when it starts. It is read where it starts, or where it is
 * requested if it never started.
 */
function readParts(record: JsonObject, started: ReadonlySet<unknown>): readonly ImportedPart[] {
  const data = getOwnField(record, 'data')
  if (!isJsonObject(data)) return []
  switch (getOwnField(record, 'type')) {
    case 'user.message':
      return userParts(data)
    case 'assistant.message':
      return readMessage(data, started)
    case 'assistant.reasoning': {
      const text = getOwnField(data, 'content')
      return typeof text === 'string' ? [{ kind: 'thought', text, raw: data }] : []
    }
    case 'tool.execution_start':
      return readCall(data, 'toolName')
    case 'tool.execution_complete':
      return [{ kind: 'result', result: readResult(data), fields: fieldsOfResult(data) }]
    case 'session.start':
    case 'session.resume':
    case 'session.model_change':
    case 'system.message':
      return [{ kind: 'configuration', values: data }]
    default:
      return []
  }
}

/** Reads a message. If all of its calls start later, it has no content. */
function readMessage(data: JsonObject, started: ReadonlySet<unknown>): readonly ImportedPart[] {
  const parts = [...readThought(data), ...readSaid(data), ...readRequests(data, started)]
  return parts.length > 0 ? parts : [{ kind: 'silent' }]
}

function userParts(data: JsonObject): readonly ImportedPart[] {
  const attachments = getOwnField(data, 'attachments')
  const attached: readonly unknown[] = Array.isArray(attachments) ? attachments : []
  const blocks = [getOwnField(data, 'content'), ...attached.map(attachedBlock)]
  return blocks.map((block): ImportedPart => ({ kind: 'said', by: 'user', block }))
}

function attachedBlock(attachment: unknown): unknown {
  const [path, name, bytes] = ['path', 'displayName', 'data'].map((each) =>
    getInner(attachment, each),
  )
  if (typeof bytes === 'string')
    return { type: 'image', data: bytes, mimeType: getInner(attachment, 'mimeType') }
  if (typeof path !== 'string') return attachment
  return { type: 'resource_link', uri: path, name: typeof name === 'string' ? name : path }
}

function readThought(data: JsonObject): readonly ImportedPart[] {
  const text = getOwnField(data, 'reasoningText')
  if (typeof text !== 'string') return []
  const names = ['reasoningText', 'reasoningOpaque', 'encryptedContent']
  const raw = Object.fromEntries(Object.entries(data).filter(([name]) => names.includes(name)))
  return [{ kind: 'thought', text, raw }]
}

function readSaid(data: JsonObject): readonly ImportedPart[] {
  const content = getOwnField(data, 'content')
  if (content === undefined || content === '') return []
  return [{ kind: 'said', by: 'assistant', block: content }]
}

function readRequests(data: JsonObject, started: ReadonlySet<unknown>): readonly ImportedPart[] {
  const requests = getOwnField(data, 'toolRequests')
  return (Array.isArray(requests) ? requests : [])
    .filter((request) => !started.has(getInner(request, 'toolCallId')))
    .flatMap((request) => readCall(request, 'name'))
}

function readCall(request: unknown, named: string): readonly ImportedPart[] {
  const [id, name] = [getInner(request, 'toolCallId'), getInner(request, named)]
  if (!isJsonObject(request) || typeof id !== 'string' || typeof name !== 'string') return []
  const call = { id, name, arguments: readArguments(getOwnField(request, 'arguments')) }
  return [
    {
      kind: 'call',
      call,
      fields: omitFields(request, ['toolCallId', 'name', 'toolName', 'arguments']),
    },
  ]
}

function fieldsOfResult(data: JsonObject): JsonObject {
  const result = getOwnField(data, 'result')
  const rest = isJsonObject(result)
    ? omitFields(result, ['content', 'binaryResultsForLlm', 'structuredContent'])
    : {}
  return {
    ...omitFields(data, ['toolCallId', 'success', 'result']),
    ...(Object.keys(rest).length > 0 && { result: rest }),
  }
}

function readResult(data: JsonObject): ToolResult {
  const id = getOwnField(data, 'toolCallId')
  const message = getInner(data, 'error', 'message')
  const pictures = getInner(data, 'result', 'binaryResultsForLlm')
  const structured = getInner(data, 'result', 'structuredContent')
  const text = getInner(data, 'result', 'content') ?? message
  const content = [text, ...(Array.isArray(pictures) ? pictures : [])]
  return {
    ...(typeof id === 'string' && { id }),
    content: readBlocks(content.filter((each) => each !== undefined)),
    isError: getOwnField(data, 'success') === false,
    ...(structured !== undefined && { structuredContent: structured }),
  }
}

const MESSAGES: ReadonlySet<unknown> = new Set(['user.message', 'assistant.message'])

function readFields(record: JsonObject): JsonObject {
  const data = getOwnField(record, 'data')
  const isMessage = MESSAGES.has(getOwnField(record, 'type')) && isJsonObject(data)
  return {
    ...omitFields(record, ['type', 'timestamp', 'data']),
    ...(isMessage &&
      omitFields(data, [
        'content',
        'attachments',
        'reasoningText',
        'reasoningOpaque',
        'encryptedContent',
        'model',
        'outputTokens',
      ])),
  }
}

/** Reads the model and its usage. Input tokens are written only once, for the complete session, at its end. */
function readModelUsage(record: JsonObject): ReturnType<typeof createModelUsage> {
  if (getOwnField(record, 'type') !== 'assistant.message') return {}
  const usage = toUsage({
    outputTokens: getInner(record, 'data', 'outputTokens'),
  })
  return createModelUsage(getInner(record, 'data', 'model'), usage)
}
