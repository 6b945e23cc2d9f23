import { type JsonObject, type TokenUsage, isJsonObject } from '@toolblocks/protocol'
import { getOwnField } from '@toolblocks/protocol/internal'
import { readBlocks } from '../convert/decode-tool-result.ts'
import { readParts } from '../convert/read-part.ts'
import {
  type ImportedPart,
  readAbout,
  readMessages,
  omitFields,
  createModelUsage,
  createKey,
  createPlace,
  createTitle,
} from '../convert/read-messages.ts'
import type { ReadConversation } from '../convert/read-conversation.ts'
import { readSum, toUsage } from '../convert/read-usage.ts'
import { getInner, getTexts } from '../records/records.ts'
import type { SplitSource } from '../sources/source.ts'

/** Whether a document is a session of pi: lines after one of type `session`. */
export function isPi({ document }: SplitSource): boolean {
  const head = document.records[0]?.value ?? {}
  return (
    document.shape === 'lines' &&
    getOwnField(head, 'type') === 'session' &&
    typeof getOwnField(head, 'id') === 'string'
  )
}

/** Reads a session. Its program continues after the last entry; the branches that it left are undone. */
export function readPi(source: SplitSource): readonly ReadConversation[] {
  const records = source.document.records.map(({ value }) => value)
  const id = getOwnField(records[0] ?? {}, 'id')
  return [
    readMessages(source, {
      format: 'pi',
      id,
      readTitle: (record) =>
        getOwnField(record, 'type') === 'session_info'
          ? createTitle(getOwnField(record, 'name'), 'person')
          : undefined,
      about: readAbout({
        folder: getOwnField(records[0] ?? {}, 'cwd'),
        model: getTexts(records, 'message', 'model').at(-1),
      }),
      // Each entry follows another one, also labels and changes of the model.
      readPlace: (record) =>
        getOwnField(record, 'type') === 'session'
          ? undefined
          : {
              ...createPlace(getOwnField(record, 'id'), getOwnField(record, 'parentId')),
              isNote:
                getOwnField(record, 'type') !== 'message' &&
                getOwnField(record, 'parentId') === null,
            },
      readKey: (record) => createKey(getOwnField(record, 'id'), 'first'),
      readParts: readRecordParts,
      readFields: readFields,
      readMessage: (record) =>
        createModelUsage(
          getInner(record, 'message', 'model'),
          usageOfMessage(getInner(record, 'message', 'usage')),
        ),
    }),
  ]
}

/** Reads the usage of a message. The input excludes tokens that a cache read or wrote. */
function usageOfMessage(usage: unknown): TokenUsage | undefined {
  const [read, write] = [getInner(usage, 'cacheRead'), getInner(usage, 'cacheWrite')]
  return toUsage({
    inputTokens: readSum(getInner(usage, 'input'), read, write),
    cachedInputTokens: read,
    cacheWriteTokens: write,
    outputTokens: getInner(usage, 'output'),
  })
}

function readFields(record: JsonObject): JsonObject {
  const message = getOwnField(record, 'message')
  if (!isJsonObject(message)) return {}
  const usage = getOwnField(message, 'usage')
  const cost = isJsonObject(usage) ? omitFields(usage, USAGE_FIELDS) : {}
  return {
    ...(Object.keys(cost).length > 0 && { message: { usage: cost } }),
    ...omitFields(message, [
      'role',
      'content',
      'toolCallId',
      'details',
      'isError',
      'model',
      'usage',
      'timestamp',
    ]),
    ...omitFields(record, ['type', 'timestamp', 'message']),
  }
}

/** Fields of the usage that an event contains. The others, such as the cost, are kept. */
const USAGE_FIELDS: readonly string[] = [
  'input',
  'output',
  'cacheRead',
  'cacheWrite',
  'totalTokens',
]

const SETTINGS: ReadonlySet<unknown> = new Set(['model_change', 'thinking_level_change'])

function readRecordParts(record: JsonObject): readonly ImportedPart[] {
  if (SETTINGS.has(getOwnField(record, 'type'))) {
    const { type: _type, id: _id, parentId: _parent, timestamp: _at, ...values } = record
    return [{ kind: 'configuration', values }]
  }
  const message = getOwnField(record, 'message')
  if (getOwnField(record, 'type') !== 'message' || !isJsonObject(message)) return []
  const role = getOwnField(message, 'role')
  const content = getOwnField(message, 'content')
  if (role === 'user' || role === 'assistant') return readParts(content, role)
  const id = getOwnField(message, 'toolCallId')
  if (role !== 'toolResult' || typeof id !== 'string') return []
  const details = getOwnField(message, 'details')
  const isError = getOwnField(message, 'isError') === true
  const meta = isJsonObject(details) ? { _meta: details } : {}
  return [{ kind: 'result', result: { id, content: readBlocks(content), isError, ...meta } }]
}
