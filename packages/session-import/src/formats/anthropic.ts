import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { getOwnField } from '@toolblocks/protocol/internal'
import { isCline } from './cline.ts'
import { readParts } from '../convert/read-part.ts'
import {
  type ImportedPart,
  readMessages,
  omitFields,
  createModelUsage,
} from '../convert/read-messages.ts'
import type { ReadConversation } from '../convert/read-conversation.ts'
import { readUsage } from '../convert/read-usage.ts'
import type { SplitSource } from '../sources/source.ts'

/** Parts that occur only in Anthropic's messages. */
const OWN: ReadonlySet<unknown> = new Set([
  'tool_use',
  'tool_result',
  'thinking',
  'redacted_thinking',
  'server_tool_use',
  'document',
])

/** Whether a source has messages of Anthropic: two roles, and either Anthropic's own parts or a `system` beside them. */
export function isAnthropic(source: SplitSource): boolean {
  const { shape, fields, records } = source.document
  const messages = records.slice(0, 20).map(({ value }) => value)
  const areOfTwo = messages.every((message) => isSpeaker(getOwnField(message, 'role')))
  if (shape === 'lines' || messages.length === 0 || !areOfTwo || isCline(source)) return false
  return Object.hasOwn(fields, 'system') || messages.some(hasOwnParts)
}

function isSpeaker(role: unknown): role is 'user' | 'assistant' {
  return role === 'user' || role === 'assistant'
}

function hasOwnParts(message: JsonObject): boolean {
  const content = getOwnField(message, 'content')
  return (
    Array.isArray(content) &&
    content.some((part) => {
      if (!isJsonObject(part)) return false
      return OWN.has(getOwnField(part, 'type')) || isJsonObject(getOwnField(part, 'source'))
    })
  )
}

export function readAnthropic(source: SplitSource): readonly ReadConversation[] {
  const { fields } = source.document
  const id = getOwnField(fields, 'id')
  return [
    readMessages(source, {
      format: 'anthropic',
      id,
      about: fields,
      readParts: readMessageParts,
      readFields: (message) => omitFields(message, EVENT_FIELDS),
      readMessage: (message) =>
        createModelUsage(getOwnField(message, 'model'), readUsage(getOwnField(message, 'usage'))),
    }),
  ]
}

/** Fields of a message that an event contains. */
const EVENT_FIELDS: readonly string[] = [
  'type',
  'role',
  'content',
  'timestamp',
  'createdAt',
  'created_at',
]

function readMessageParts(message: JsonObject): readonly ImportedPart[] {
  const role = getOwnField(message, 'role')
  return isSpeaker(role) ? readParts(getOwnField(message, 'content'), role) : []
}
