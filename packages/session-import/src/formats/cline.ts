import { basename, dirname } from 'node:path'
import { type JsonObject, type TokenUsage, isJsonObject } from '@toolblocks/protocol'
import { getOwnField, formatValue } from '@toolblocks/protocol/internal'
import { readArguments, readPart, readParts } from '../convert/read-part.ts'
import {
  type ImportedPart,
  readAbout,
  readMessages,
  omitFields,
  createModelUsage,
} from '../convert/read-messages.ts'
import { type ReadConversation, readTime } from '../convert/read-conversation.ts'
import { readSum, toUsage } from '../convert/read-usage.ts'
import { getInner, getTexts, parseBounded, parseInner } from '../records/records.ts'
import { readExtra, type SplitSource } from '../sources/source.ts'

/**
 * Whether a source is a task of Cline or Roo Code: messages for Anthropic with the time of each, or the notes that their window shows. Both are in
 * one folder and contain the same conversation; if the messages exist, the notes are not read.
 */
export function isCline(source: SplitSource): boolean {
  const { shape, records } = source.document
  const first = records.slice(0, 20).map(({ value }) => value)
  if (shape !== 'array' || first.length === 0) return false
  if (first.every(isNote)) return source.beside(MESSAGES) === undefined
  return first.every(isMessage) && first.some(isOwn)
}

const MESSAGES = 'api_conversation_history.json'
const NOTES = 'ui_messages.json'

function isNote(record: JsonObject): boolean {
  const type = getOwnField(record, 'type')
  return typeof getOwnField(record, 'ts') === 'number' && (type === 'say' || type === 'ask')
}

function isMessage(record: JsonObject): boolean {
  const role = getOwnField(record, 'role')
  return role === 'user' || role === 'assistant' || getOwnField(record, 'type') === 'reasoning'
}

/** Whether a record is a message of Cline. Older ones have no time, but the request of the person is in a tag. */
function isOwn(record: JsonObject): boolean {
  if (
    typeof getOwnField(record, 'ts') === 'number' ||
    isJsonObject(getOwnField(record, 'modelInfo'))
  )
    return true
  const content = getOwnField(record, 'content')
  const texts: readonly unknown[] = Array.isArray(content) ? content : []
  return texts.some((block) => {
    const text = getInner(block, 'text')
    return typeof text === 'string' && /^(?:<task>|<environment_details>)/.test(text)
  })
}

export function readCline(source: SplitSource): readonly ReadConversation[] {
  const { path, document } = source
  const folder = basename(dirname(path))
  const item = parseFile(readExtra(source, 'history_item.json'))
  const task = getInner(item, 'task')
  const isNotes = document.records.slice(0, 20).every(({ value }) => isNote(value))
  const records = document.records.map(({ value }) => value)
  const title = typeof task === 'string' ? task : readTask(records)
  const usages = isNotes ? undefined : readUsages(records, parseFile(readExtra(source, NOTES)))
  const about = readAbout({
    folder: getInner(item, 'workspace') ?? readFolder(records),
    model: getTexts(records, 'modelInfo', 'modelId').at(-1),
  })
  const whole = { format: 'cline' as const, id: folder || undefined, title, about }
  if (isNotes)
    return [readMessages(source, { ...whole, ...notesReader(records), readTime: readRecordTime })]
  return [
    readMessages(source, {
      ...whole,
      readTime: readRecordTime,
      readParts: readMessageParts,
      readFields: (message) => omitFields(message, ['role', 'content', 'ts']),
      readMessage: (message) =>
        createModelUsage(readModel(message), usageOfMetrics(message) ?? usages?.get(message)),
    }),
  ]
}

function readRecordTime(record: JsonObject): string | undefined {
  return readTime(getOwnField(record, 'ts'))
}

function parseFile(bytes: Uint8Array | undefined): unknown {
  const read = bytes && parseBounded(bytes)
  return read?.ok ? read.value : undefined
}

function readModel(message: JsonObject): unknown {
  return getInner(message, 'modelInfo', 'modelId')
}

/** Returns the first line of the person's first request. */
function readTask(records: readonly JsonObject[]): string | undefined {
  const [first] = records
  const content = first && (getOwnField(first, 'content') ?? getOwnField(first, 'text'))
  const text = Array.isArray(content) ? getInner(content[0], 'text') : content
  const task = typeof text === 'string' ? text.replace(/^<task>\s*/, '') : ''
  const [line = ''] = task.split('\n', 1)
  return line.trim() === '' ? undefined : line.trim().slice(0, MAX_TITLE_LENGTH)
}

const MAX_TITLE_LENGTH = 200
const FOLDER = /# Current (?:Workspace|Working) Directory \(([^)\n]+)\)/

/** Returns the working folder that the program gave the model. */
function readFolder(records: readonly JsonObject[]): string | undefined {
  for (const record of records.slice(0, 4)) {
    const content = getOwnField(record, 'content')
    for (const block of Array.isArray(content) ? content : []) {
      const text = getInner(block, 'text')
      const [, folder] = (typeof text === 'string' && FOLDER.exec(text)) || []
      if (folder !== undefined) return folder
    }
  }
  return undefined
}

function readMessageParts(message: JsonObject): readonly ImportedPart[] {
  const role = getOwnField(message, 'role')
  if (role !== 'user' && role !== 'assistant')
    return getOwnField(message, 'type') === 'reasoning' ? readPart(message, 'assistant') : []
  const thought = getOwnField(message, 'reasoning_content')
  const thoughts: readonly ImportedPart[] =
    typeof thought === 'string' ? [{ kind: 'thought', text: thought, raw: { text: thought } }] : []
  return [...thoughts, ...readParts(getOwnField(message, 'content'), role)]
}

function usageOfMetrics(message: JsonObject): TokenUsage | undefined {
  const tokens = getInner(message, 'metrics', 'tokens')
  return toUsage({
    inputTokens: getInner(tokens, 'prompt'),
    cachedInputTokens: getInner(tokens, 'cached'),
    outputTokens: getInner(tokens, 'completion'),
  })
}

/** Finds the token usage of requests, which is in the notes. It belongs to the next message of the model. */
function readUsages(
  messages: readonly JsonObject[],
  notes: unknown,
): ReadonlyMap<JsonObject, TokenUsage> {
  const usages = new Map<JsonObject, TokenUsage>()
  const requests = (Array.isArray(notes) ? notes : [])
    .filter(isJsonObject)
    .filter((note) => getOwnField(note, 'say') === 'api_req_started')
  let next = 0
  for (const message of messages) {
    const time = getOwnField(message, 'ts')
    if (getOwnField(message, 'role') !== 'assistant' || typeof time !== 'number') continue
    let last: JsonObject | undefined
    for (; next < requests.length && timeOfNote(requests[next]) <= time; next += 1)
      last = requests[next]
    const usage = last && usageOfRequest(last)
    if (usage) usages.set(message, usage)
  }
  return usages
}

function timeOfNote(note: unknown): number {
  const time = getInner(note, 'ts')
  return typeof time === 'number' ? time : 0
}

function usageOfRequest(note: JsonObject): TokenUsage | undefined {
  const request = readInner(note)
  const [read, write] = [getInner(request, 'cacheReads'), getInner(request, 'cacheWrites')]
  const isOpenAi = getOwnField(note, 'apiProtocol') === 'openai'
  const input = getInner(request, 'tokensIn')
  return toUsage({
    // Programs keep the usage in the provider's form.
    inputTokens: isOpenAi ? input : readSum(input, read, write),
    cachedInputTokens: read,
    cacheWriteTokens: write,
    outputTokens: getInner(request, 'tokensOut'),
  })
}

function readInner(note: JsonObject): unknown {
  const text = getOwnField(note, 'text')
  return typeof text === 'string' ? parseInner(text) : undefined
}

/** Reads notes. The time of a note is its number; a result belongs to the call before it. */
function notesReader(
  records: readonly JsonObject[],
): Pick<Parameters<typeof readMessages>[1], 'readParts' | 'readFields' | 'readMessage'> {
  const calls = new Map<JsonObject, string>()
  const usages = new Map<JsonObject, TokenUsage>()
  let call = ''
  let usage: TokenUsage | undefined
  for (const note of records) {
    if (getOwnField(note, 'say') === 'api_req_started') usage = usageOfRequest(note)
    if (isCallNote(note)) call = `call-${formatValue(getOwnField(note, 'ts'))}`
    calls.set(note, call)
    const isOfModel = noteParts(note, { call, isFirst: note === records[0] }).some(
      (part) =>
        part.kind === 'call' ||
        part.kind === 'thought' ||
        (part.kind === 'said' && part.by === 'assistant'),
    )
    if (!usage || !isOfModel) continue
    usages.set(note, usage)
    usage = undefined
  }
  return {
    readParts: (note) =>
      noteParts(note, { call: calls.get(note) ?? '', isFirst: note === records[0] }),
    readFields: (note) => omitFields(note, ['ts', 'text', 'reasoning', 'images', 'modelInfo']),
    readMessage: (note) => createModelUsage(readModel(note), usages.get(note)),
  }
}

function readKind(note: JsonObject): unknown {
  return getOwnField(note, 'say') ?? getOwnField(note, 'ask')
}

const CALLS: ReadonlySet<unknown> = new Set(['tool', 'command', 'use_mcp_server', 'browser_action'])

function isCallNote(note: JsonObject): boolean {
  return CALLS.has(readKind(note))
}

function noteParts(
  note: JsonObject,
  { call, isFirst }: { call: string; isFirst: boolean },
): readonly ImportedPart[] {
  const kind = readKind(note)
  const text = getOwnField(note, 'text')
  if (typeof text !== 'string' || text === '') return []
  if (isCallNote(note)) return [callOfNote(kind, text, call)]
  switch (kind) {
    case 'task':
    case 'user_feedback':
      return readSpokenParts(note, text, 'user')
    case 'text':
      return readSpokenParts(note, text, isFirst ? 'user' : 'assistant')
    case 'completion_result':
    case 'plan_completion_result':
    case 'followup':
    case 'plan_mode_respond':
      return readSpokenParts(note, text, 'assistant')
    case 'reasoning':
      return [{ kind: 'thought', text, raw: { text } }]
    case 'command_output':
    case 'mcp_server_response':
    case 'browser_action_result':
      if (call === '') return []
      return [
        {
          kind: 'result',
          result: { id: call, content: [{ type: 'text', text }], isError: false },
        },
      ]
    default:
      return []
  }
}

function readSpokenParts(
  note: JsonObject,
  text: string,
  by: 'user' | 'assistant',
): readonly ImportedPart[] {
  const images = getOwnField(note, 'images')
  const urls: readonly unknown[] = Array.isArray(images) ? images : []
  const blocks = [text, ...urls.map((url) => ({ type: 'image_url', image_url: url }))]
  return blocks.map((block): ImportedPart => ({ kind: 'said', by, block }))
}

function callOfNote(kind: unknown, text: string, id: string): ImportedPart {
  const callArguments = kind === 'command' ? { command: text } : readArguments(text)
  const named =
    getOwnField(callArguments, 'tool') ??
    getOwnField(callArguments, 'toolName') ??
    getOwnField(callArguments, 'action')
  const name = kind === 'command' || typeof named !== 'string' ? formatValue(kind) : named
  return { kind: 'call', call: { id, name, arguments: callArguments } }
}
