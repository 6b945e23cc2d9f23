import { DatabaseSync } from 'node:sqlite'

/** Converts a file of this version, without documents, to layout 5. */
export function toFifthLayout(file: string): void {
  const database = new DatabaseSync(file)
  database.exec('DROP TABLE documents; PRAGMA user_version = 5')
  database.close()
}
