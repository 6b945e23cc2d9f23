import { type JsonObject, type TokenUsage, isJsonObject } from '@toolblocks/protocol'
import { getOwnField } from '@toolblocks/protocol/internal'
import { readPart, readParts } from '../convert/read-part.ts'
import {
  type ImportedPart,
  type SourceTitle,
  createTitle,
  readAbout,
  readMessages,
  omitFields,
  createModelUsage,
} from '../convert/read-messages.ts'
import type { RecordPlace } from '../convert/place-branches.ts'
import type { ReadConversation } from '../convert/read-conversation.ts'
import { readUsage } from '../convert/read-usage.ts'
import { getInner, getTexts } from '../records/records.ts'
import type { SplitSource } from '../sources/source.ts'
import { findEnds, withOutcome } from './codex-outcomes.ts'
import { findTurnItem, readModelItems, readTurnItem } from './codex-turn-items.ts'

const WRAPPED: ReadonlySet<unknown> = new Set([
  'session_meta',
  'response_item',
  'event_msg',
  'turn_context',
  'compacted',
])

/**
 * Whether a document is a rollout of Codex: lines with a payload. The first versions wrote the items without one, after a line with the session's
 * id.
 */
export function isCodex({ document }: SplitSource): boolean {
  const { shape, records } = document
  if (shape !== 'lines') return false
  const first = records.slice(0, 5).map(({ value }) => value)
  return first.some(isWrapped) || isBare(first)
}

function isWrapped(record: JsonObject): boolean {
  return WRAPPED.has(getOwnField(record, 'type')) && isJsonObject(getOwnField(record, 'payload'))
}

function isBare([head, ...items]: readonly JsonObject[]): boolean {
  const hasHead = head !== undefined && typeof getOwnField(head, 'id') === 'string'
  return (
    hasHead &&
    Object.hasOwn(head, 'instructions') &&
    (items.length === 0 ||
      items.some(
        (item) => ITEMS.has(getOwnField(item, 'type')) || Object.hasOwn(item, 'record_type'),
      ))
  )
}

export function readCodex(source: SplitSource): readonly ReadConversation[] {
  const records = source.document.records.map(({ value }) => value)
  const metas = records.map((record) =>
    getOwnField(record, 'type') === 'session_meta' ? getOwnField(record, 'payload') : record,
  )
  const first = (...names: readonly string[]): unknown => getTexts(metas, ...names)[0]
  const { models, usages } = findModelsAndUsage(records)
  const ended = findEnds(records)
  const items = readModelItems(records)
  return [
    readMessages(source, {
      format: 'codex',
      id: first('id'),
      readTitle: (record) => readTitle(record, first('id')),
      about: readAbout({
        folder: first('cwd') ?? first('payload', 'cwd'),
        model: [...models.values()].at(-1),
        gitBranch: first('git', 'branch'),
        version: first('cli_version'),
      }),
      readParts: (record) => {
        const item = findTurnItem(record)
        if (item) return readTurnItem(item, items)
        return readRecordParts(record).map((part) => withOutcome(part, ended))
      },
      readAgent,
      readPlace,
      readFields: readFields,
      isInterruption: (record) => getInner(record, 'payload', 'type') === 'turn_aborted',
      readMessage: (record) => createModelUsage(models.get(record), usages.get(record)),
    }),
  ]
}

/** Reads the name that a person gave the session. The file of a session that continues another one also has the names of that one. */
function readTitle(record: JsonObject, session: unknown): SourceTitle | undefined {
  const payload = getOwnField(record, 'payload')
  const thread = getInner(payload, 'thread_id') ?? session
  return getInner(payload, 'type') === 'thread_name_updated' && thread === session
    ? createTitle(getInner(payload, 'thread_name'), 'person')
    : undefined
}

/** Returns the author of a message that another agent sent to the model. */
function readAgent(record: JsonObject): string | undefined {
  const item = getOwnField(record, 'payload')
  const author = getInner(item, 'type') === 'agent_message' ? getInner(item, 'author') : undefined
  return getOwnField(record, 'type') === 'response_item' && typeof author === 'string'
    ? author
    : undefined
}

/** Reads the place of a record. `thread_rolled_back` takes back the last turns of the person. */
function readPlace(record: JsonObject): RecordPlace {
  const payload = getOwnField(record, 'payload')
  const turns = getInner(payload, 'num_turns')
  return getInner(payload, 'type') === 'thread_rolled_back' && typeof turns === 'number'
    ? { backTurns: turns }
    : { parent: undefined }
}

function readRecordParts(record: JsonObject): readonly ImportedPart[] {
  const type = getOwnField(record, 'type')
  const payload = getOwnField(record, 'payload')
  if (!isJsonObject(payload)) return itemParts(record)
  if (type === 'response_item') return itemParts(payload)
  // Codex writes the texts of people and of the model a second time as `event_msg`.
  const isSetting = type === 'session_meta' || type === 'turn_context'
  return isSetting ? [{ kind: 'configuration', values: payload }] : []
}

/**
 * Finds the model of each item and the token usage of each answer. Codex writes the usage after the items of an answer, and again whenever a limit
 * changes.
 */
function findModelsAndUsage(records: readonly JsonObject[]): {
  models: ReadonlyMap<JsonObject, unknown>
  usages: ReadonlyMap<JsonObject, TokenUsage>
} {
  const models = new Map<JsonObject, unknown>()
  const usages = new Map<JsonObject, TokenUsage>()
  let model: unknown
  let total = ''
  let answer: JsonObject[] = []
  for (const record of records) {
    if (getOwnField(record, 'type') === 'turn_context')
      model = getInner(record, 'payload', 'model') ?? model
    const parts = readRecordParts(record)
    if (parts.some((part) => part.kind === 'call' || isSaid(part))) {
      answer.push(record)
      if (model !== undefined) models.set(record, model)
    }
    if (getInner(record, 'payload', 'type') !== 'token_count') continue
    const info = getInner(record, 'payload', 'info')
    const usage = readUsage(getInner(info, 'last_token_usage'))
    const sum = JSON.stringify(getInner(info, 'total_token_usage') ?? info ?? null)
    if (!usage || sum === total) continue
    total = sum
    const first = answer.find((each) => readRecordParts(each).some(isSaid)) ?? answer[0]
    if (first) usages.set(first, usage)
    answer = []
  }
  return { models, usages }
}

function isSaid(part: ImportedPart): boolean {
  return part.kind === 'thought' || (part.kind === 'said' && part.by === 'assistant')
}

const ITEMS: ReadonlySet<unknown> = new Set([
  'message',
  'agent_message',
  'reasoning',
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
  'local_shell_call',
  'tool_search_call',
  'tool_search_output',
  'web_search_call',
  'image_generation_call',
])

/** Returns the parts of an item of OpenAI's Responses; empty for items that only the program needs. */
export function itemParts(item: JsonObject): readonly ImportedPart[] {
  const role = getOwnField(item, 'role')
  // Some programs write a message without its type.
  const type = getOwnField(item, 'type') ?? (typeof role === 'string' ? 'message' : undefined)
  if (!ITEMS.has(type)) return []
  if (type === 'agent_message') return readParts(getOwnField(item, 'content'), 'assistant')
  if (type !== 'message') return readPart(item, 'assistant')
  const content = getOwnField(item, 'content')
  if (role === 'user' || role === 'assistant') return readParts(content, role)
  return [{ kind: 'configuration', values: { role, content } }]
}

/** Fields of an item that an event contains, by its type. */
const MESSAGE_FIELDS: readonly string[] = ['type', 'role', 'content']
const CALL_FIELDS: readonly string[] = [
  'type',
  'name',
  'arguments',
  'input',
  'call_id',
  'output',
  'action',
  'tools',
  'result',
  'revised_prompt',
]

/** Returns the fields of an item that no event contains. */
export function fieldsOfItem(item: JsonObject): JsonObject {
  const type = getOwnField(item, 'type')
  if (type === 'reasoning')
    return omitFields(item, ['type', 'content', 'summary', 'encrypted_content'])
  const isMessage = Object.hasOwn(item, 'role') || type === 'agent_message'
  return omitFields(item, isMessage ? MESSAGE_FIELDS : CALL_FIELDS)
}

function readFields(record: JsonObject): JsonObject {
  const payload = getOwnField(record, 'payload')
  if (!isJsonObject(payload)) return fieldsOfItem(record)
  return getOwnField(record, 'type') === 'response_item' ? fieldsOfItem(payload) : {}
}
