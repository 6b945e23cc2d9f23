import { field, isJsonObject, type JsonObject } from '@toolblocks/protocol'
import { readParts } from '../parts/read-part.ts'
import type { Part } from '../parts/part.ts'
import { readMessages } from '../parts/read-messages.ts'
import type { ReadConversation } from '../read-conversation.ts'
import type { SplitSource } from '../sources/source.ts'

/** A session of Claude Code: lines that name their session and the line before them. */
export function isClaudeCode({ document }: SplitSource): boolean {
  const { shape, records } = document
  if (shape !== 'lines') return false
  return records.slice(0, 50).some(({ value }) => {
    const isText = (name: string): boolean => typeof field(value, name) === 'string'
    return isText('sessionId') && isText('uuid') && Object.hasOwn(value, 'parentUuid')
  })
}

export function readClaudeCode(source: SplitSource): readonly ReadConversation[] {
  const records = source.document.records.map(({ value }) => value)
  const sessions = records.map((record) => field(record, 'sessionId'))
  const agent = records.map((record) => field(record, 'agentId')).find((id) => id !== undefined)
  const session = sessions.findLast((id): id is string => typeof id === 'string')
  const title = records.map(titleOf).findLast((each) => each !== undefined)
  return [
    readMessages(source, {
      format: 'claude-code',
      // The sessions of agents that it starts name the session they are of.
      id: session !== undefined && typeof agent === 'string' ? `${session}-${agent}` : session,
      title,
      partsOf,
      fieldsOf,
    }),
  ]
}

function titleOf(record: JsonObject): string | undefined {
  const title = ['customTitle', 'aiTitle', 'summary'].map((name) => field(record, name))
  return title.find((each): each is string => typeof each === 'string')
}

function partsOf(record: JsonObject): readonly Part[] {
  const type = field(record, 'type')
  const message = field(record, 'message')
  if ((type !== 'user' && type !== 'assistant') || !isJsonObject(message)) return []
  return readParts(field(message, 'content'), type)
}

const FLAGS: readonly string[] = ['isMeta', 'isSidechain', 'isCompactSummary', 'isApiErrorMessage']

/** What tells a message of a person from one that the program wrote in their place. */
function fieldsOf(record: JsonObject): JsonObject {
  return Object.fromEntries(
    FLAGS.filter((name) => field(record, name) === true).map((name) => [name, true]),
  )
}
