import { basename } from 'node:path'
import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { getOwnField } from '@toolblocks/protocol/internal'
import { type ImportedPart, readMessages, createModelUsage } from '../convert/read-messages.ts'
import type { ReadConversation } from '../convert/read-conversation.ts'
import { readUsage } from '../convert/read-usage.ts'
import { getInner } from '../records/records.ts'
import { splitDocument } from '../records/split-document.ts'
import type { SplitSource } from '../sources/source.ts'
import { fieldsOfMessage, isOpenAiMessage, messageParts } from './openai.ts'

/** Whether a document has JSON lines of messages: one message on each line, or all messages of a conversation, as training files have them. */
export function isMessageLines({ document }: SplitSource): boolean {
  const lines = document.records.slice(0, 20).map(({ value }) => value)
  if (document.shape !== 'lines' || lines.length === 0) return false
  if (document.records.some(({ value }) => isGoose(value))) return false
  return areMostly(lines, isOpenAiMessage) || areMostly(lines, isConversation)
}

/** Parts in which Goose writes calls and their results. Its sessions are not read: as messages they would say the JSON of these parts. */
const GOOSE: ReadonlySet<unknown> = new Set([
  'toolRequest',
  'toolResponse',
  'toolConfirmationRequest',
  'frontendToolRequest',
])

function isGoose(line: JsonObject): boolean {
  const content = getOwnField(line, 'content')
  return Array.isArray(content) && content.some((part) => GOOSE.has(getInner(part, 'type')))
}

/** Whether most lines match. A line that does not match is kept unchanged. */
function areMostly(lines: readonly JsonObject[], is: (line: JsonObject) => boolean): boolean {
  return lines.filter(is).length * 2 > lines.length
}

function isConversation(line: JsonObject): boolean {
  const messages = getOwnField(line, 'messages')
  return (
    Array.isArray(messages) &&
    messages.length > 0 &&
    messages.every((message) => isJsonObject(message) && isOpenAiMessage(message))
  )
}

export function readMessageLines(source: SplitSource): readonly ReadConversation[] {
  const { path, document } = source
  const lines = document.records
  if (!lines.some(({ value }) => isConversation(value)))
    return [readMessages(source, { ...READER, id: undefined })]
  const stem = basename(path).replace(/\.[^.]+$/, '')
  return lines.map(({ bytes }, index) => {
    const line = splitDocument(bytes, { textsOnDemandFrom: document.textsOnDemandFrom })
    const problems = index === 0 ? [...document.problems, ...line.problems] : line.problems
    const id = getOwnField(line.fields, 'id') ?? `${stem}-${index + 1}`
    const own = { ...source, document: { ...line, problems } }
    return readMessages(own, { ...READER, id, about: line.fields })
  })
}

const READER = {
  format: 'message-lines' as const,
  readParts: messageParts,
  readFields: fieldsOfMessage,
  readMessage: (message: JsonObject) =>
    createModelUsage(getOwnField(message, 'model'), readUsage(getOwnField(message, 'usage'))),
} satisfies Partial<Parameters<typeof readMessages>[1]> & {
  readParts(message: JsonObject): readonly ImportedPart[]
}
