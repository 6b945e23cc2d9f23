import { type JsonObject, type TokenUsage, field, isJsonObject } from '@toolblocks/protocol'
import { readParts } from '../convert/read-part.ts'
import { type Part, aboutOf, readMessages, restOf, spoken } from '../convert/read-messages.ts'
import type { ReadConversation } from '../convert/read-conversation.ts'
import { readUsage } from '../convert/read-usage.ts'
import { inner, textsOf } from '../records/records.ts'
import type { SplitSource } from '../sources/source.ts'
import { isQwenCode } from './qwen-code.ts'

/** A session of Claude Code: lines that name their session and the line before them. */
export function isClaudeCode(source: SplitSource): boolean {
  const { shape, records } = source.document
  if (shape !== 'lines' || isQwenCode(source)) return false
  return records.slice(0, 50).some(({ value }) => {
    const isText = (name: string): boolean => typeof field(value, name) === 'string'
    return isText('sessionId') && isText('uuid') && Object.hasOwn(value, 'parentUuid')
  })
}

export function readClaudeCode(source: SplitSource): readonly ReadConversation[] {
  const records = source.document.records.map(({ value }) => value)
  const first = (name: string): unknown => textsOf(records, name)[0]
  const agent = records.map((record) => field(record, 'agentId')).find((id) => id !== undefined)
  const session = textsOf(records, 'sessionId').at(-1)
  const usages = usagesOf(records)
  return [
    readMessages(source, {
      format: 'claude-code',
      // The sessions of agents that it starts name the session they are of.
      id: session !== undefined && typeof agent === 'string' ? `${session}-${agent}` : session,
      title: records.map(titleOf).findLast((each) => each !== undefined),
      about: aboutOf({
        folder: first('cwd'),
        model: records.map(modelOf).findLast((model) => model !== undefined),
        gitBranch: first('gitBranch'),
        version: first('version'),
      }),
      partsOf,
      fieldsOf,
      spokenOf: (record) => spoken(modelOf(record), usages.get(record)),
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

/** What the program says in the place of a model is of none. */
function modelOf(record: JsonObject): string | undefined {
  const model = inner(record, 'message', 'model')
  return typeof model === 'string' && model !== '<synthetic>' ? model : undefined
}

/** A message is told in several records, one for each of its parts: its first has what the whole message took, which its last tells. */
function usagesOf(records: readonly JsonObject[]): ReadonlyMap<JsonObject, TokenUsage> {
  const firsts = new Map<string, JsonObject>()
  const usages = new Map<JsonObject, TokenUsage>()
  for (const record of records) {
    const usage = readUsage(inner(record, 'message', 'usage'))
    if (!usage || partsOf(record).length === 0) continue
    const id = inner(record, 'message', 'id')
    const key = typeof id === 'string' ? JSON.stringify([id, field(record, 'requestId')]) : ''
    const first = (key === '' ? undefined : firsts.get(key)) ?? record
    firsts.set(key, first)
    usages.set(first, usage)
  }
  return usages
}

/** How a provider counts in detail is told as it is. */
const TOLD_WITHOUT_MODEL: readonly string[] = ['type', 'role', 'content']
const TOLD_OF_MESSAGE: readonly string[] = [...TOLD_WITHOUT_MODEL, 'model']

function fieldsOf(record: JsonObject): JsonObject {
  const message = field(record, 'message')
  const told = modelOf(record) === undefined ? TOLD_WITHOUT_MODEL : TOLD_OF_MESSAGE
  const rest = isJsonObject(message) ? restOf(message, told) : {}
  return {
    ...restOf(record, ['type', 'timestamp', 'sessionId', 'message']),
    ...(Object.keys(rest).length > 0 && { message: rest }),
  }
}
