import {
  type ConversationEvent,
  type ConversationStore,
  type DatedEvent,
  FORMAT_NAMES,
  type FormatName,
  StoreError,
  type StoredEvent,
} from '@toolblocks/conversation-store'
import { damagedEvent } from '@toolblocks/conversation-store/internal'
import { requireArguments, requireChoice } from '@toolblocks/protocol/internal'
import { createHash } from 'node:crypto'
import {
  type ConversationCounts,
  type DatedImport,
  type ReadConversation,
  countEvents,
} from './convert/read-conversation.ts'
import { type ImportedRecord } from './convert/imported-event.ts'
import { compareStored } from './compare-stored.ts'
import { isAiSdk, readAiSdk } from './formats/ai-sdk.ts'
import { isAnthropic, readAnthropic } from './formats/anthropic.ts'
import { isChatGpt, readChatGpt } from './formats/chatgpt.ts'
import { isClaudeAi, readClaudeAi } from './formats/claude-ai.ts'
import { isClaudeCode, readClaudeCode } from './formats/claude-code.ts'
import { isCline, readCline } from './formats/cline.ts'
import { isCodex, readCodex } from './formats/codex.ts'
import { isCopilotCli, readCopilotCli } from './formats/copilot-cli.ts'
import { isCursor, isCursorExport, readCursor, readCursorExport } from './formats/cursor.ts'
import { isGeminiCli, readGeminiCli } from './formats/gemini-cli.ts'
import { isGemini, readGemini } from './formats/gemini.ts'
import { isJp, readJp } from './formats/jp.ts'
import { isLaceDatabase, readLaceDatabase } from './formats/lace-sqlite.ts'
import { isLace, readLace } from './formats/lace.ts'
import { isMessageLines, readMessageLines } from './formats/message-lines.ts'
import { isOpenAi, readOpenAi } from './formats/openai.ts'
import {
  isOpencode,
  isOpencodeDatabase,
  readOpencode,
  readOpencodeDatabase,
} from './formats/opencode.ts'
import { isPi, readPi } from './formats/pi.ts'
import { isQwenCode, readQwenCode } from './formats/qwen-code.ts'
import { isExport, isOwnDatabase, readExport, readOwnDatabase } from './formats/toolblocks.ts'
import { type ImportProblem, type SplitOptions, importProblem } from './records/records.ts'
import { splitDocument, splitFile } from './records/split-document.ts'
import type { ImportSource, SplitSource } from './sources/source.ts'
import { type SqliteSource, isSqlite, readSqlite } from './sources/sqlite-source.ts'

/** Detects the format of a file by its content; returns `undefined` if no known format matches. */
export function detectFormat(source: ImportSource): FormatName | undefined {
  requireArguments('detectFormat(source)', [source, { head: 'object' }])
  return withFormat(source, undefined, (name) => name)
}

/**
 * Reads the conversations of a file, in the given format or in the one that its content shows. Returns an empty list for a file without a known
 * format. Broken parts of the file are reported as problems; all complete records are read.
 */
export function readConversations(
  source: ImportSource,
  { from, textsOnDemandFrom = Infinity, onProgress }: ReadConversationsOptions = {},
): readonly ReadConversation[] {
  requireArguments('readConversations(source, …)', [source, { head: 'object' }])
  requireChoice('readConversations(source, options)', 'options.from', from, FORMAT_NAMES)
  const onRecord = onProgress && countProgress(source, onProgress)
  const options = { textsOnDemandFrom, ...(onRecord && { onRecord }) }
  const [first, ...others] = withFormat(source, from, (_, read) => read(), options) ?? []
  if (!first) return []
  const skipped = [...source.links].map((link) =>
    importProblem(0, 'linked', `${link} is a link and was not read: expected a file`),
  )
  return [{ ...first, problems: [...first.problems, ...skipped] }, ...others]
}

/** The options of `readConversations`. */
export interface ReadConversationsOptions {
  /** Default: the format that the content shows. */
  from?: FormatName
  /**
   * Texts of records with at least this number of characters are not kept in memory, but read from the bytes of the file whenever they are used. The
   * events are the same. The bytes of a file with one record on each line are not kept either. Default: all texts and bytes are kept.
   */
  textsOnDemandFrom?: number
  /** Called from time to time with the share of the work that is done, from 0 to 1. Not called for databases. */
  onProgress?: (share: number) => void
}

/** Number of parts of the work after which the progress is reported. */
const PROGRESS_STEPS = 200

/** Every record is read once and converted once. */
function countProgress(
  source: ImportSource,
  onProgress: (share: number) => void,
): (bytes: number) => void {
  const size = source.parts?.size ?? source.bytes.length
  let done = 0
  let reported = 0
  return (bytes) => {
    done += bytes
    const share = Math.min(1, done / (2 * size))
    if (share - reported < 1 / PROGRESS_STEPS) return
    reported = share
    onProgress(share)
  }
}

/** Opens a file in a format. A database is closed after its use. */
function withFormat<Value>(
  source: ImportSource,
  from: FormatName | undefined,
  use: (name: FormatName, read: () => readonly ReadConversation[]) => Value,
  options: SplitOptions = {},
): Value | undefined {
  const isWanted = (name: FormatName): boolean => from === undefined || name === from
  if (isSqlite(source.head))
    return readSqlite(source.path, (database) => {
      const databaseFormat = DATABASE_FORMATS.find(({ name, is }) => isWanted(name) && is(database))
      return databaseFormat && use(databaseFormat.name, () => databaseFormat.read(database, source))
    })
  const text = TEXT_FORMATS.find(({ name, is }) => isWanted(name) && is(source))
  if (text) return use(text.name, () => text.read(source, source))
  // Lines of JSON inside a text for people are only examples.
  if (from === undefined && /\.md$/i.test(source.path)) return undefined
  const { path, modifiedAt, beside, inside, links, blob, parts } = source
  const isOnDemand = (options.textsOnDemandFrom ?? Infinity) < Infinity
  const document =
    (isOnDemand && parts ? splitFile(parts, options) : undefined) ??
    splitDocument(source.bytes, options)
  const split = { path, modifiedAt, beside, inside, links, blob, document }
  const format = RECORD_FORMATS.find(({ name, is }) =>
    from === undefined ? is(split) : name === from,
  )
  return format && use(format.name, () => format.read(split, source))
}

/** The result of importing a conversation. */
export interface ImportedConversation {
  /** Its id in the store. */
  conversation: string
  /**
   * `imported`: the conversation is new in the store. `extended`: the source has grown, and its new events were added. `present`: the store had all
   * of it already.
   */
  state: 'imported' | 'extended' | 'present'
  /** Number of events that were added. */
  added: number
  /** Counts of the events, read back from the store. */
  after: ConversationCounts
  /** Number of bytes of the originals, read back from the store. */
  bytes: number
  /** Records that no store can keep; only their bytes are kept. */
  problems: readonly ImportProblem[]
}

/** Maximum number of conversations with the same id and different beginnings that are compared. */
const MAX_COUNT = 100

/**
 * Imports a conversation into a store, in one append: all of it or nothing. Events that the store has already are not written again, so a second
 * import adds nothing, and an import after a killed one completes it. If the store has a different conversation under the same id, the imported one
 * gets another id.
 */
export async function importConversation(
  store: ConversationStore,
  read: ReadConversation,
): Promise<ImportedConversation> {
  requireArguments(
    'importConversation(store, read)',
    [store, { read: 'function', append: 'function' }],
    [read, 'object'],
  )
  const problems: ImportProblem[] = []
  for (const id of getConversationIds(read)) {
    const kept = await readAll(store, id)
    const part = compareStored(kept, read)
    if (!part) continue
    const { rest } = part
    if (rest.length > 0) {
      for (const bytes of read.rawOutputs ?? []) await store.keepBytes(bytes)
      const isDone = await appendRecords(store, rest, {
        id,
        after: kept.length,
        format: read.format,
        problems,
      })
      // Another process wrote the conversation at this moment: compare again.
      if (!isDone) return await importConversation(store, read)
    }
    const own = rest.length > 0 ? compareStored(await readAll(store, id), read) : part
    const pairs = own?.pairs ?? []
    return {
      conversation: id,
      state: rest.length === 0 ? 'present' : kept.length === 0 ? 'imported' : 'extended',
      added: rest.length,
      after: countEvents(pairs.map(([{ event }]) => event)),
      bytes: pairs.reduce((sum, [stored, each]) => sum + getLength(stored, each), 0),
      problems,
    }
  }
  const message = `None was imported: the store has more than ${MAX_COUNT} conversations with the same beginning under the id ${JSON.stringify(read.id)}.`
  throw new StoreError('failed', message)
}

/** Maximum number of records of one conversation that a store may refuse, for example because their JSON is nested too deeply. */
const MAX_REFUSED = 20

/** Appends all records or none. If the store refuses an event, only the bytes of its record are kept. */
async function appendRecords(
  store: ConversationStore,
  rest: readonly DatedImport[],
  {
    id,
    after,
    format,
    problems,
  }: { id: string; after: number; format: FormatName; problems: ImportProblem[] },
): Promise<boolean> {
  const events = rest.map(toDatedEvent)
  for (;;) {
    try {
      return (await store.append(id, after, events)).ok
    } catch (error) {
      const index = error instanceof StoreError ? error.problem?.path.split('/')[1] : undefined
      const refused = events[Number(index)]
      if (!refused || problems.length === MAX_REFUSED) throw error
      const message = 'the store refused the content of the record; only its bytes are kept'
      problems.push(importProblem(after + Number(index), 'unstorable-record', message))
      const event: ImportedRecord = { type: 'imported_record', format, record: {} }
      events[Number(index)] = toDatedEvent({ ...refused, event })
    }
  }
}

/** Converts an imported event for `append`. A store accepts an event of an unknown type as one of a newer version. */
export function toDatedEvent({ event, at, original }: DatedImport): DatedEvent {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an `imported_record` is kept like an event of a newer version
  return { event: event as ConversationEvent, at, ...(original && { original }) }
}

/**
 * Yields the possible ids of a conversation: its own, then those with a hash of its first records added. The hash stays the same when the
 * conversation grows.
 */
export function* getConversationIds({ id, events }: ReadConversation): Generator<string> {
  yield id
  const hash = createHash('sha256')
  for (const { original, event } of events.slice(0, MAX_COUNT)) {
    hash.update(original ?? JSON.stringify(event))
    yield `${id}-${hash.copy().digest('hex').slice(0, 8)}`
  }
}

/** Returns the length of the stored original; if a value was scrubbed from it, that of the record that was read. */
function getLength(stored: StoredEvent, read: DatedImport): number {
  const { original } = stored.scrubbedAt === undefined ? stored : read
  return original?.length ?? 0
}

async function readAll(store: ConversationStore, id: string): Promise<readonly StoredEvent[]> {
  const { events, damaged } = await store.read(id, { limit: Infinity })
  const first = damaged[0]
  if (first) throw damagedEvent(id, first.seq, first.problem.message)
  return events
}

/** How one format is read: from its records, its database or its text, each with its file. */
interface Format<Content> {
  name: FormatName
  /** Whether the content has this format. Never uses the names of files. */
  is(content: Content): boolean
  read(content: Content, source: ImportSource): readonly ReadConversation[]
}

/** Formats whose files contain records. More specific formats come first. */
export const RECORD_FORMATS: readonly Format<SplitSource>[] = [
  { name: 'jp', is: isJp, read: readJp },
  { name: 'toolblocks', is: isExport, read: readExport },
  { name: 'lace', is: isLace, read: readLace },
  { name: 'qwen-code', is: isQwenCode, read: readQwenCode },
  { name: 'claude-code', is: isClaudeCode, read: readClaudeCode },
  { name: 'codex', is: isCodex, read: readCodex },
  { name: 'gemini-cli', is: isGeminiCli, read: readGeminiCli },
  { name: 'copilot-cli', is: isCopilotCli, read: readCopilotCli },
  { name: 'pi', is: isPi, read: readPi },
  { name: 'opencode', is: isOpencode, read: readOpencode },
  { name: 'cursor', is: isCursor, read: readCursor },
  { name: 'chatgpt', is: isChatGpt, read: readChatGpt },
  { name: 'claude-ai', is: isClaudeAi, read: readClaudeAi },
  { name: 'cline', is: isCline, read: readCline },
  { name: 'gemini', is: isGemini, read: readGemini },
  { name: 'ai-sdk', is: isAiSdk, read: readAiSdk },
  { name: 'anthropic', is: isAnthropic, read: readAnthropic },
  { name: 'openai', is: isOpenAi, read: readOpenAi },
  { name: 'message-lines', is: isMessageLines, read: readMessageLines },
]

/** Formats whose files are SQLite databases. */
const DATABASE_FORMATS: readonly Format<SqliteSource>[] = [
  { name: 'toolblocks-sqlite', is: isOwnDatabase, read: readOwnDatabase },
  { name: 'opencode-sqlite', is: isOpencodeDatabase, read: readOpencodeDatabase },
  { name: 'lace-sqlite', is: isLaceDatabase, read: readLaceDatabase },
]

/** Formats whose files are texts for people. */
export const TEXT_FORMATS: readonly Format<ImportSource>[] = [
  { name: 'cursor', is: isCursorExport, read: readCursorExport },
]
