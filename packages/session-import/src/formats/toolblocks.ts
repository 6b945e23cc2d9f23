import {
  type SqlRow,
  findEventProblem,
  openStoredEvent,
  readStoredBytes,
  toBytes,
} from '@toolblocks/conversation-store/internal'
import { basename } from 'node:path'
import { getOwnField } from '@toolblocks/protocol/internal'
import { isJsonObject } from '@toolblocks/protocol'
import {
  type DatedImport,
  type ReadConversation,
  countEvents,
  readTime,
} from '../convert/read-conversation.ts'
import { type ImportedEvent } from '../convert/imported-event.ts'
import { type ImportProblem, importProblem } from '../records/records.ts'
import type { ImportSource, SplitSource } from '../sources/source.ts'
import { type SqliteSource, hasColumns } from '../sources/sqlite-source.ts'

/** Whether a document is the output of `toolblocks conversations export --output jsonl`: one event on each line. */
export function isExport({ document }: SplitSource): boolean {
  const { shape, records } = document
  return (
    shape === 'lines' &&
    records.length > 0 &&
    records.slice(0, 5).every(({ value }) => {
      const isKept =
        isJsonObject(getOwnField(value, 'event')) || typeof getOwnField(value, 'bytes') === 'string'
      return typeof getOwnField(value, 'seq') === 'number' && isKept
    })
  )
}

/** Reads the events unchanged, with their times and their originals. The name of the file is the id of the conversation. */
export function readExport({
  path,
  document,
  modifiedAt,
}: SplitSource): readonly ReadConversation[] {
  const problems = [...document.problems]
  const events: DatedImport[] = []
  for (const [index, { value }] of document.records.entries()) {
    const event = ownEvent(getOwnField(value, 'event'))
    if (event) {
      const time = readTime(getOwnField(value, 'at')) ?? modifiedAt
      const original = getOwnField(value, 'original')
      events.push({
        event,
        at: time,
        ...(typeof original === 'string' && { original: Buffer.from(original, 'base64') }),
      })
    } else {
      const message = 'the line contains no readable event; it was damaged when it was exported'
      problems.push(importProblem(index, 'odd-record', message))
    }
  }
  return [
    {
      source: path,
      format: 'toolblocks',
      id: basename(path).replace(/\.[^.]+$/, ''),
      events,
      before: countEvents(events.map(({ event }) => event)),
      bytes: events.reduce((sum, { original }) => sum + (original?.length ?? 0), 0),
      problems,
    },
  ]
}

/** Whether a database is a store of this package. */
export function isOwnDatabase(database: SqliteSource): boolean {
  return hasColumns(database, 'events', [
    'key',
    'conversation',
    'seq',
    'at',
    'bytes',
    'original',
    'chain',
  ])
}

/** Reads every conversation under its own id, with its originals and the bytes that results refer to. */
export function readOwnDatabase(
  database: SqliteSource,
  { path, modifiedAt }: Pick<ImportSource, 'path' | 'modifiedAt'>,
): readonly ReadConversation[] {
  const table = 'events'
  const columns = ['seq', 'at', 'bytes', 'original']
  return database.all({ table, columns: ['conversation'], once: { span: 'key' } }).map((row) => {
    const id = String(row['conversation'])
    const between = ['key', Number(row['first']), Number(row['last'])] as const
    const rows = database.all({
      table,
      columns,
      where: { conversation: id },
      between,
      order: ['key'],
    })
    const problems: ImportProblem[] = []
    const events: DatedImport[] = []
    const rawOutputs: Uint8Array[] = []
    for (const [index, each] of rows.entries()) {
      const event = openRow(database, toBytes(each['bytes']))
      if (!event) {
        const message = `event ${String(each['seq'])} is damaged, or one of its texts is missing`
        problems.push(importProblem(index, 'odd-record', message))
        continue
      }
      const time = readTime(each['at']) ?? modifiedAt
      const original =
        each['original'] instanceof Uint8Array ? toBytes(each['original']) : undefined
      events.push({ event, at: time, ...(original && { original }) })
      rawOutputs.push(...readRaw(database, event))
    }
    const bytes = events.reduce((sum, { original }) => sum + (original?.length ?? 0), 0)
    const about = { source: path, format: 'toolblocks-sqlite' as const, id }
    const before = countEvents(events.map(({ event }) => event))
    return { ...about, events, before, bytes, problems, rawOutputs }
  })
}

function openRow(database: SqliteSource, bytes: Uint8Array): ImportedEvent | undefined {
  const value = openStoredEvent(bytes, (sha256) => findBlob(database, sha256))
  return value === undefined ? undefined : ownEvent(value)
}

function readRaw(database: SqliteSource, event: ImportedEvent): readonly Uint8Array[] {
  const raw = event.type === 'tool_result' ? event.result.metadata?.raw : undefined
  const bytes = raw && readStoredBytes(raw.sha256, (sha256) => findBlob(database, sha256))
  return bytes ? [bytes] : []
}

const BLOB_COLUMNS = ['sha256', 'size', 'encoding', 'bytes'] as const

function findBlob(database: SqliteSource, sha256: string): SqlRow | undefined {
  if (!database.tables.has('blobs')) return undefined
  const [row] = database.all({ table: 'blobs', columns: BLOB_COLUMNS, where: { sha256 } })
  return row
}

/** Returns an event of a store, including one of a type that this version does not know; `undefined` for any other value. */
function ownEvent(value: unknown): ImportedEvent | undefined {
  const event =
    isJsonObject(value) && getOwnField(value, 'type') === 'unknown' && Object.hasOwn(value, 'value')
      ? getOwnField(value, 'value')
      : value
  if (findEventProblem(event)) return undefined
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was checked, but for types that a newer version knows
  return event as ImportedEvent
}
