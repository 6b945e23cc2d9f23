import { type JsonObject, type TokenUsage, field, isJsonObject } from '@toolblocks/protocol'
import { readBlocks } from '../convert/decode-tool-result.ts'
import { readParts } from '../convert/read-part.ts'
import { type Part, aboutOf, readMessages, restOf, spoken } from '../convert/read-messages.ts'
import type { ReadConversation } from '../convert/read-conversation.ts'
import { sumOf, usageOf } from '../convert/read-usage.ts'
import { inner, textsOf } from '../records/records.ts'
import type { SplitSource } from '../sources/source.ts'

/** A session of pi: lines behind one of type `session`. */
export function isPi({ document }: SplitSource): boolean {
  const head = document.records[0]?.value ?? {}
  return (
    document.shape === 'lines' &&
    field(head, 'type') === 'session' &&
    typeof field(head, 'id') === 'string'
  )
}

/** All branches of its tree stand in the order they were written. */
export function readPi(source: SplitSource): readonly ReadConversation[] {
  const records = source.document.records.map(({ value }) => value)
  const id = field(records[0] ?? {}, 'id')
  const infos = records.filter((record) => field(record, 'type') === 'session_info')
  return [
    readMessages(source, {
      format: 'pi',
      id,
      title: textsOf(infos, 'name').at(-1),
      about: aboutOf({
        folder: field(records[0] ?? {}, 'cwd'),
        model: textsOf(records, 'message', 'model').at(-1),
      }),
      partsOf,
      fieldsOf,
      spokenOf: (record) =>
        spoken(
          inner(record, 'message', 'model'),
          usageOfMessage(inner(record, 'message', 'usage')),
        ),
    }),
  ]
}

/** The input is without what a cache had or took. */
function usageOfMessage(usage: unknown): TokenUsage | undefined {
  const [read, write] = [inner(usage, 'cacheRead'), inner(usage, 'cacheWrite')]
  return usageOf({
    inputTokens: sumOf(inner(usage, 'input'), read, write),
    cachedInputTokens: read,
    cacheWriteTokens: write,
    outputTokens: inner(usage, 'output'),
  })
}

function fieldsOf(record: JsonObject): JsonObject {
  const message = field(record, 'message')
  if (!isJsonObject(message)) return {}
  return {
    ...restOf(message, [
      'role',
      'content',
      'toolCallId',
      'details',
      'isError',
      'model',
      'usage',
      'timestamp',
    ]),
    ...restOf(record, ['type', 'timestamp', 'message']),
  }
}

const SETTINGS: ReadonlySet<unknown> = new Set(['model_change', 'thinking_level_change'])

function partsOf(record: JsonObject): readonly Part[] {
  if (SETTINGS.has(field(record, 'type'))) {
    const { type: _type, id: _id, parentId: _parent, timestamp: _at, ...values } = record
    return [{ kind: 'configuration', values }]
  }
  const message = field(record, 'message')
  if (field(record, 'type') !== 'message' || !isJsonObject(message)) return []
  const role = field(message, 'role')
  const content = field(message, 'content')
  if (role === 'user' || role === 'assistant') return readParts(content, role)
  const id = field(message, 'toolCallId')
  if (role !== 'toolResult' || typeof id !== 'string') return []
  const details = field(message, 'details')
  const isError = field(message, 'isError') === true
  const meta = isJsonObject(details) ? { _meta: details } : {}
  return [{ kind: 'result', result: { id, content: readBlocks(content), isError, ...meta } }]
}
