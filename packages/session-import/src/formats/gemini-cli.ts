import { isAbsolute } from 'node:path'
import { type JsonObject, type ToolResult, isJsonObject } from '@toolblocks/protocol'
import { getOwnField, formatValue } from '@toolblocks/protocol/internal'
import { readResult as resultOfAnswer, toBlock } from '../convert/read-contents.ts'
import {
  type ImportedPart,
  type ModelUsage,
  readAbout,
  readMessages,
  omitFields,
  createModelUsage,
  createKey,
  createPlace,
  createTitle,
} from '../convert/read-messages.ts'
import type { RecordPlace } from '../convert/place-branches.ts'
import { type ReadConversation, readTime } from '../convert/read-conversation.ts'
import { readToolCall } from '../convert/read-part.ts'
import { readGeminiUsage } from '../convert/read-usage.ts'
import { getInner, getTexts } from '../records/records.ts'
import { readExtra, type SplitSource } from '../sources/source.ts'

/** Whether a document is a session of Gemini CLI: an object with `messages`, or, in later versions, lines after one that identifies the session. */
export function isGeminiCli({ document }: SplitSource): boolean {
  const { shape, fields, records } = document
  const head = shape === 'object' ? fields : (records[0]?.value ?? {})
  const isSession = ['sessionId', 'projectHash'].every(
    (name) => typeof getOwnField(head, name) === 'string',
  )
  return shape !== 'array' && isSession
}

export function readGeminiCli(source: SplitSource): readonly ReadConversation[] {
  const { shape, fields, records } = source.document
  const head = shape === 'object' ? fields : (records[0]?.value ?? {})
  return [
    readMessages(source, {
      format: 'gemini-cli',
      id: getOwnField(head, 'sessionId'),
      title: getOwnField(head, 'summary'),
      readTitle: (record) =>
        createTitle(
          getInner(record, '$set', 'summary') ?? getOwnField(record, 'summary'),
          'program',
        ),
      startedAt: readTime(getOwnField(head, 'startTime')),
      about: {
        ...(shape === 'object' && fields),
        ...readAbout({
          folder: readFolder(source),
          model: getTexts(
            records.flatMap(({ value }) => readInner(value)),
            'model',
          ).at(-1),
        }),
      },
      readInner,
      // The program writes a message again each time it has more text, calls or results.
      readKey: (message) => createKey(getOwnField(message, 'id'), 'last'),
      readPlace,
      readParts,
      readFields: (record) =>
        omitFields(record, [
          'type',
          'timestamp',
          'content',
          'thoughts',
          'toolCalls',
          'tokens',
          'model',
        ]),
      readMessage: readModelUsage,
    }),
  ]
}

/** Finds the folder of a project. The session has only the project's name; a file above the sessions maps it to the folder. */
function readFolder(source: SplitSource): string | undefined {
  const path = readExtra(source, '../.project_root')
  const text = path && path.length < MAX_PATH_LENGTH ? Buffer.from(path).toString().trim() : ''
  return isAbsolute(text) ? text : undefined
}

const MAX_PATH_LENGTH = 4096

/** Returns the messages of a line. A line that changes the session may set all of its messages: `{$set: {messages}}`. */
function readInner(record: JsonObject): readonly JsonObject[] {
  const messages = getInner(record, '$set', 'messages')
  return Array.isArray(messages) ? messages.filter(isJsonObject) : [record]
}

/** Reads the place of a message. A record `{$rewindTo: ID}` takes back the message with this id and those after it. */
function readPlace(message: JsonObject): RecordPlace {
  const back = getOwnField(message, '$rewindTo')
  return typeof back === 'string'
    ? { backBefore: back }
    : createPlace(getOwnField(message, 'id'), undefined)
}

function readModelUsage(record: JsonObject): ModelUsage {
  const tokens = getOwnField(record, 'tokens')
  const usage = readGeminiUsage({
    prompt: getInner(tokens, 'input'),
    tool: getInner(tokens, 'tool'),
    cached: getInner(tokens, 'cached'),
    candidates: getInner(tokens, 'output'),
    thoughts: getInner(tokens, 'thoughts'),
    total: getInner(tokens, 'total'),
  })
  return createModelUsage(getOwnField(record, 'model'), usage)
}

function readParts(record: JsonObject): readonly ImportedPart[] {
  const type = getOwnField(record, 'type')
  if (type !== 'user' && type !== 'gemini') return []
  const by = type === 'user' ? 'user' : 'assistant'
  const content = getOwnField(record, 'content')
  return [...readThoughts(record), ...readSaid(content, by), ...readCalls(record)]
}

function readThoughts(record: JsonObject): readonly ImportedPart[] {
  const thoughts = getOwnField(record, 'thoughts')
  if (!Array.isArray(thoughts)) return []
  return thoughts.filter(isJsonObject).map((raw): ImportedPart => {
    const texts = [getOwnField(raw, 'subject'), getOwnField(raw, 'description')]
    const text = texts.filter((word) => typeof word === 'string' && word !== '').join('\n')
    return { kind: 'thought', text, raw }
  })
}

/** Reads parts of Gemini: `{text}`, `{inlineData: {mimeType, data}}`. */
function readSaid(content: unknown, by: 'user' | 'assistant'): readonly ImportedPart[] {
  if (content === undefined || content === null || content === '') return []
  const parts: readonly unknown[] = Array.isArray(content) ? content : [content]
  return parts.map((part) => ({ kind: 'said', by, block: toBlock(part) }))
}

function readCalls(record: JsonObject): readonly ImportedPart[] {
  const calls = getOwnField(record, 'toolCalls')
  if (!Array.isArray(calls)) return []
  return calls.filter(isJsonObject).flatMap((raw, index): readonly ImportedPart[] => {
    const call = readToolCall(
      typeof getOwnField(raw, 'id') === 'string' ? raw : withId(raw, record, index),
    )
    if (!call) return []
    const fields = omitFields(raw, ['id', 'name', 'args', 'result', 'timestamp'])
    const result = readResult(raw, call.id)
    const isWaiting = getOwnField(raw, 'status') === 'awaiting_approval'
    return result
      ? [
          { kind: 'call', call },
          { kind: 'result', result, fields },
        ]
      : [{ kind: 'call', call, fields, ...(isWaiting && { isWaiting }) }]
  })
}

/** Returns a call with an id: its own, that of its response, or its place in its message. */
function withId(raw: JsonObject, record: JsonObject, index: number): JsonObject {
  const result = getOwnField(raw, 'result')
  const answer: unknown = Array.isArray(result) ? result[0] : undefined
  const id = getInner(answer, 'functionResponse', 'id')
  const position = `${formatValue(getOwnField(record, 'id') ?? '')}-${index + 1}`
  return { ...raw, id: typeof id === 'string' ? id : position }
}

const FAILED: ReadonlySet<unknown> = new Set(['error', 'cancelled'])

/** Reads `[{functionResponse: {response: {output} | {error}}}]`; returns `undefined` if the call did not end. */
function readResult(call: JsonObject, id: string): ToolResult | undefined {
  const result = getOwnField(call, 'result')
  const status = getOwnField(call, 'status')
  if ((result === undefined || result === null) && !FAILED.has(status)) return undefined
  const parts: readonly unknown[] = Array.isArray(result) ? result : [result ?? '']
  const read = parts.map((part) => resultOfAnswer(getInner(part, 'functionResponse') ?? part))
  const isError = FAILED.has(status) || read.some((each) => each.isError)
  const content = read.flatMap((each) => each.content)
  return {
    id,
    content,
    isError,
    ...(status === 'cancelled' && { metadata: { outcome: 'cancelled' as const } }),
  }
}
