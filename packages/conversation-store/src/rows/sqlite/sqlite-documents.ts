import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import {
  type DocumentQuery,
  type DocumentRows,
  createChangeCheck,
  getDocumentName,
} from '../document-rows.ts'
import { toBytes, toDocumentRow } from '../sql-row.ts'
import { selectText, toBlob } from './sqlite-values.ts'

/** How the statements of a file run. */
interface DocumentAccess {
  /** Runs a statement, and converts its errors. */
  guard: <Value>(statement: () => Value) => Promise<Value>
  /** Calls `isSo` when the name may have changed, until it returns true or the signal aborts. */
  poll(name: string, isSo: () => Promise<boolean>, signal: AbortSignal): Promise<void>
  /** Says that a name has changed. */
  emit(name: string): void
}

/** The documents of a file. */
interface SqliteDocuments {
  createRows(running: DocumentAccess): DocumentRows
  /** Removes the documents of a conversation. Runs in the transaction of the delete. */
  remove(conversation: string): void
}

const COLUMNS = `place, collection, ${selectText('id')}, version, ${selectText('state')}, ${selectText('conversation')}, at, bytes, sha256`

/** Keeps documents in a table. A write is one statement, so it is atomic between processes. */
export function prepareDocuments(database: DatabaseSync): SqliteDocuments {
  const where = 'WHERE collection = ? AND id = ?'
  const read = database.prepare(`SELECT ${COLUMNS} FROM documents ${where}`)
  const readVersion = database.prepare(`SELECT version, sha256 FROM documents ${where}`)
  const create = database.prepare(`
    INSERT INTO documents (version, state, conversation, at, bytes, sha256, collection, id)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (collection, id) DO NOTHING`)
  const replace = database.prepare(`
    UPDATE documents SET version = ?, state = ?, conversation = ?, at = ?, bytes = ?, sha256 = ? ${where} AND version = ?`)
  const remove = database.prepare(`DELETE FROM documents ${where} AND version = ?`)
  const removeAll = database.prepare('DELETE FROM documents WHERE conversation = ?')
  const list = prepareList(database)
  return {
    remove: (conversation) => void removeAll.run(conversation),
    createRows: ({ guard, poll, emit }) => ({
      read: (collection, id) =>
        guard(() => {
          const row = read.get(collection, id)
          return row && toDocumentRow(row)
        }),
      list: (query) => guard(() => list(query).map(toDocumentRow)),
      write: async ({ collection, id, version, state, conversation = null, at, bytes, sha256 }) => {
        const isWritten = await guard(() => {
          const row = [version, state, conversation, at, toBlob(bytes), toBlob(sha256)] as const
          const { changes } =
            version === 1
              ? create.run(...row, collection, id)
              : replace.run(...row, collection, id, version - 1)
          return changes === 1
        })
        if (isWritten) emit(getDocumentName(collection, id))
        return isWritten
      },
      remove: async (collection, id, version) => {
        const isRemoved = await guard(() => remove.run(collection, id, version).changes === 1)
        if (isRemoved) emit(getDocumentName(collection, id))
        return isRemoved
      },
      changed: async (collection, id, version, signal) => {
        const hasChanged = createChangeCheck(version, () =>
          guard(() => {
            const row = readVersion.get(collection, id)
            return row && { version: Number(row['version']), sha256: toBytes(row['sha256']) }
          }),
        )
        await poll(getDocumentName(collection, id), hasChanged, signal)
      },
    }),
  }
}

/** Prepares the lists of one connection, each when it is first needed. Only a statement with its own conditions uses an index. */
function prepareList(database: DatabaseSync) {
  const statements = new Map<string, StatementSync>()
  return ({ collection, state, conversation, after, limit }: DocumentQuery) => {
    const conditions = Object.entries({ collection, state, conversation }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    )
    const where = ['place > ?', ...conditions.map(([column]) => `${column} = ?`)].join(' AND ')
    // A conversation has few documents, which the planner does not know.
    const index = conversation === undefined ? '' : 'INDEXED BY documents_by_conversation'
    const statement =
      statements.get(where) ??
      database.prepare(
        `SELECT ${COLUMNS} FROM documents ${index} WHERE ${where} ORDER BY place LIMIT ?`,
      )
    statements.set(where, statement)
    const values: SQLInputValue[] = [after, ...conditions.map(([, value]) => value), limit]
    return statement.all(...values)
  }
}
