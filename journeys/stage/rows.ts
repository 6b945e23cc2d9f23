import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Stores the conversations of a folder in the folder. */
export const STORE = '[store]\nurl = "sqlite:kept.db"\n'

/** An event as its row in the database. */
export interface Row {
  conversation: string
  type: string
  [field: string]: unknown
}

/** Reads the events of a SQLite file, in the order in which they were written. */
export function readRows(file: string): readonly Row[] {
  const database = new DatabaseSync(file, { readOnly: true })
  const rows = database.prepare('SELECT conversation, bytes FROM events ORDER BY key').all()
  database.close()
  return rows.map(({ conversation, bytes }) => {
    const text = new TextDecoder().decode(bytes as Uint8Array)
    return { conversation, ...JSON.parse(text) }
  })
}

/** Reads the stored events of a folder whose configuration has the `STORE`. */
export function readStoredRows(folder: string): readonly Row[] {
  return readRows(join(folder, 'kept.db'))
}
