import { type JsonObject, type TokenUsage, getText, isJsonObject } from '@toolblocks/protocol'
import { getOwnField, formatValue } from '@toolblocks/protocol/internal'
import { readParts } from '../convert/read-part.ts'
import {
  type ImportedPart,
  type SourceTitle,
  createKey,
  createPlace,
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
import { isQwenCode } from './qwen-code.ts'

/** Whether a source is a session of Claude Code: lines that name their session and the line before them. */
export function isClaudeCode(source: SplitSource): boolean {
  const { shape, records } = source.document
  if (shape !== 'lines' || isQwenCode(source)) return false
  return records.slice(0, 50).some(({ value }) => {
    const isText = (name: string): boolean => typeof getOwnField(value, name) === 'string'
    return isText('sessionId') && isText('uuid') && Object.hasOwn(value, 'parentUuid')
  })
}

export function readClaudeCode(source: SplitSource): readonly ReadConversation[] {
  const records = source.document.records.map(({ value }) => value)
  const agent = records
    .map((record) => getOwnField(record, 'agentId'))
    .find((id) => id !== undefined)
  const session = getTexts(records, 'sessionId').at(-1)
  // A session that continues another one begins with records of that one.
  const own = records.filter((record) => getOwnField(record, 'sessionId') === session)
  const first = (name: string): unknown => getTexts(own, name)[0]
  const uuids = new Set(getTexts(records, 'uuid'))
  const usages = readUsages(records)
  const absorbed = findAbsorbed(records)
  const siblings = findSiblings(records)
  return [
    readMessages(source, {
      format: 'claude-code',
      // The sessions of agents that a session starts name that session.
      id: session !== undefined && typeof agent === 'string' ? `${session}-${agent}` : session,
      readTitle: (record) => readTitle(record, { session, uuids }),
      about: readAbout({
        folder: first('cwd'),
        model: records.map(readModel).findLast((model) => model !== undefined),
        gitBranch: first('gitBranch'),
        version: first('version'),
      }),
      readParts: (record) => (absorbed.has(record) ? readQueued(record) : readRecordParts(record)),
      // A record with the same uuid is a copy.
      readKey: (record) => createKey(getOwnField(record, 'uuid'), 'first'),
      readPlace: (record) => readPlace(record, siblings),
      readAgent: (record) =>
        getOwnField(record, 'isSidechain') === true
          ? formatValue(getOwnField(record, 'agentId') ?? '')
          : undefined,
      readFields,
      isInterruption: (record) => readRecordParts(record).some(isInterruption),
      readMessage: (record) => createModelUsage(readModel(record), usages.get(record)),
    }),
  ]
}

/**
 * Reads the place of a record. Only messages begin branches. The messages of an agent are notes in the conversation that started it, and so are the
 * program's own records. A summary of the conversation until then follows it, whatever its parent.
 */
function readPlace(
  record: JsonObject,
  siblings: ReadonlyMap<JsonObject, string>,
): RecordPlace | undefined {
  const id = getOwnField(record, 'uuid')
  if (typeof id !== 'string') return undefined
  const isMessage = ['user', 'assistant', 'attachment'].includes(
    formatValue(getOwnField(record, 'type')),
  )
  if (getOwnField(record, 'isSidechain') === true) return { id, parent: undefined, isNote: true }
  const parent =
    getOwnField(record, 'isCompactSummary') === true && getOwnField(record, 'parentUuid') === null
      ? undefined
      : (siblings.get(record) ?? getOwnField(record, 'parentUuid'))
  return { ...createPlace(id, parent), isNote: !isMessage }
}

/** Finds the parts of a message that have the same parent as the part before them, and the id of that part, which they follow. */
function findSiblings(records: readonly JsonObject[]): ReadonlyMap<JsonObject, string> {
  const before = new Map<string, JsonObject>()
  const siblings = new Map<JsonObject, string>()
  for (const record of records) {
    const id = getInner(record, 'message', 'id')
    if (getOwnField(record, 'type') !== 'assistant' || typeof id !== 'string') continue
    const other = before.get(id)
    const [uuid, parent] = [other && getOwnField(other, 'uuid'), getOwnField(record, 'parentUuid')]
    if (other && typeof uuid === 'string' && getOwnField(other, 'parentUuid') === parent)
      siblings.set(record, uuid)
    before.set(id, record)
  }
  return siblings
}

/** Reads a title. Claude Code also writes the titles of other sessions into a file: they name another session, or a record that is not in the file. */
function readTitle(
  record: JsonObject,
  { session, uuids }: { session: string | undefined; uuids: ReadonlySet<string> },
): SourceTitle | undefined {
  const named = getOwnField(record, 'sessionId') ?? session
  const leaf = getOwnField(record, 'leafUuid')
  if (named !== session || (typeof leaf === 'string' && !uuids.has(leaf))) return undefined
  switch (getOwnField(record, 'type')) {
    case 'custom-title':
      return createTitle(getOwnField(record, 'customTitle'), 'person')
    case 'ai-title':
      return createTitle(getOwnField(record, 'aiTitle'), 'program')
    case 'summary':
      return createTitle(getOwnField(record, 'summary'), 'program')
    default:
      return undefined
  }
}

/**
 * Finds the records with words that a person typed while the program worked, and that the program gave to the model in the middle of its turn. Words
 * that wait until the turn ends become an ordinary message, and words that the person takes back are never said.
 */
function findAbsorbed(records: readonly JsonObject[]): ReadonlySet<JsonObject> {
  const attached = new Set(records.flatMap(readAttached).map(getWords))
  const removed = records.filter(
    (record) =>
      getOwnField(record, 'type') === 'queue-operation' &&
      getOwnField(record, 'operation') === 'remove' &&
      getOwnField(record, 'reason') === 'absorbed_mid_turn',
  )
  // Some versions also write the words as an attachment.
  return new Set(
    removed.filter((record) => readQueued(record).some((part) => !attached.has(getWords(part)))),
  )
}

function readQueued(record: JsonObject): readonly ImportedPart[] {
  return readParts(getOwnField(record, 'content'), 'user')
}

function readAttached(record: JsonObject): readonly ImportedPart[] {
  const attachment = getOwnField(record, 'attachment')
  const mode = getInner(attachment, 'commandMode') ?? 'prompt'
  const isQueued = getInner(attachment, 'type') === 'queued_command' && mode === 'prompt'
  return isQueued && getOwnField(record, 'type') === 'attachment'
    ? readParts(getInner(attachment, 'prompt'), 'user')
    : []
}

function readRecordParts(record: JsonObject): readonly ImportedPart[] {
  const type = getOwnField(record, 'type')
  const message = getOwnField(record, 'message')
  if (type === 'attachment') return readAttached(record)
  if ((type !== 'user' && type !== 'assistant') || !isJsonObject(message)) return []
  return readParts(getOwnField(message, 'content'), type).map(withDenial)
}

/** Claude Code writes that a person did not allow a call as the text of a result that failed. */
const DENIALS: readonly string[] = [
  "The user doesn't want to proceed with this tool use.",
  "The user doesn't want to take this action right now.",
]

function withDenial(part: ImportedPart): ImportedPart {
  if (part.kind !== 'result' || !part.result.isError) return part
  const [block] = part.result.content
  const text = (block && getText(block)) ?? ''
  if (!DENIALS.some((denial) => text.startsWith(denial))) return part
  return { ...part, result: { ...part.result, metadata: { outcome: 'denied' } } }
}

/** Whether a part of a message says that a person stopped the work. */
function isInterruption(part: ImportedPart): boolean {
  return getWords(part)?.startsWith('[Request interrupted by user') === true
}

/** Returns the text that a part of a message says; `undefined` for other parts. */
function getWords(part: ImportedPart): string | undefined {
  if (part.kind !== 'said') return undefined
  const text = isJsonObject(part.block) ? getOwnField(part.block, 'text') : part.block
  return typeof text === 'string' ? text : undefined
}

/** Returns the model of a record. A message that the program wrote in the place of a model has none. */
function readModel(record: JsonObject): string | undefined {
  const model = getInner(record, 'message', 'model')
  return typeof model === 'string' && model !== '<synthetic>' ? model : undefined
}

/** Finds the token usage of messages. Each part of a message is a record of its own: the usage in the last record is assigned to the first one. */
function readUsages(records: readonly JsonObject[]): ReadonlyMap<JsonObject, TokenUsage> {
  const firsts = new Map<string, JsonObject>()
  const usages = new Map<JsonObject, TokenUsage>()
  for (const record of records) {
    const usage = readUsage(getInner(record, 'message', 'usage'))
    if (!usage || readRecordParts(record).length === 0) continue
    const id = getInner(record, 'message', 'id')
    const key = typeof id === 'string' ? JSON.stringify([id, getOwnField(record, 'requestId')]) : ''
    const first = (key === '' ? undefined : firsts.get(key)) ?? record
    firsts.set(key, first)
    usages.set(first, usage)
  }
  return usages
}

/** The detailed usage of a provider is kept unchanged. */
const FIELDS_WITHOUT_MODEL: readonly string[] = ['type', 'role', 'content']
const MESSAGE_FIELDS: readonly string[] = [...FIELDS_WITHOUT_MODEL, 'model']

function readFields(record: JsonObject): JsonObject {
  const message = getOwnField(record, 'message')
  const fields = readModel(record) === undefined ? FIELDS_WITHOUT_MODEL : MESSAGE_FIELDS
  const rest = isJsonObject(message) ? omitFields(message, fields) : {}
  return {
    ...omitFields(record, ['type', 'timestamp', 'sessionId', 'message', 'content']),
    ...(Object.keys(rest).length > 0 && { message: rest }),
  }
}
