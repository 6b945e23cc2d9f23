import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { getOwnField } from '@toolblocks/protocol/internal'
import { createReadContents, type ReadContents } from '../convert/read-contents.ts'
import { type ImportedPart, readMessages, omitFields } from '../convert/read-messages.ts'
import type { ReadConversation } from '../convert/read-conversation.ts'
import type { SplitSource } from '../sources/source.ts'

const ROLES: ReadonlySet<unknown> = new Set(['user', 'model', 'function', 'system'])

/** Whether a source has contents for Gemini's API: the roles user and model, with parts that have no type. */
export function isGemini({ document }: SplitSource): boolean {
  const contents = document.records.slice(0, 20).map(({ value }) => value)
  return document.shape !== 'lines' && contents.length > 0 && contents.every(isContent)
}

function isContent(content: JsonObject): boolean {
  const parts = getOwnField(content, 'parts')
  return (
    ROLES.has(getOwnField(content, 'role')) &&
    Array.isArray(parts) &&
    parts.every((part) => isJsonObject(part) && !Object.hasOwn(part, 'type'))
  )
}

export function readGemini(source: SplitSource): readonly ReadConversation[] {
  const { fields } = source.document
  const read = createReadContents()
  return [
    readMessages(source, {
      format: 'gemini',
      id: getOwnField(fields, 'id'),
      about: fields,
      readParts: (content) => readParts(content, read),
      readFields: (content) => omitFields(content, ['role', 'parts']),
    }),
  ]
}

function readParts(content: JsonObject, read: ReadContents): readonly ImportedPart[] {
  const [role, parts] = [getOwnField(content, 'role'), getOwnField(content, 'parts')]
  if (role === 'system') return [{ kind: 'configuration', values: { role, parts } }]
  return read(parts, role === 'model' ? 'assistant' : 'user')
}
