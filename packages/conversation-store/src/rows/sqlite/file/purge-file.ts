import type { DatabaseSync } from 'node:sqlite'
import { StoreError } from '../../../store-error.ts'

/**
 * Writes the file anew, without the pages that are free and what they had, and empties the log. Another process that reads at this moment holds the
 * log: then it is `busy`, and to be done again.
 */
export function purgeFile(database: DatabaseSync): void {
  database.exec('VACUUM')
  const row = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()
  if (row?.['busy'] === 0) return
  const message =
    'Another process reads the store, so that its log still has what was there before; do it again when that process has ended.'
  throw new StoreError('busy', message)
}
