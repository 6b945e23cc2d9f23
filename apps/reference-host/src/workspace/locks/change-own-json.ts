import { existsSync } from 'node:fs'
import { MAX_OWN_BYTES, readRegularFile } from '../files/read-regular-file.ts'
import { setAside, writeInOneStep } from '../files/write-file.ts'
import { getOwnLock, type LockWait, withLock } from './with-lock.ts'

/**
 * Writes a JSON file in the own folders of this user, which only the user can read. `change` reads the file again under the lock, so that changes of
 * other processes are kept, and returns the new content. A file that is no JSON stays as `FILE.invalid`.
 */
export async function changeOwnJson(
  file: string,
  wait: LockWait,
  change: () => unknown,
): Promise<void> {
  await withLock(getOwnLock(file), wait, () => {
    keepInvalid(file)
    writeInOneStep({ path: file }, `${JSON.stringify(change(), null, 2)}\n`, { mode: 0o600 })
  })
}

/** Renames a file that is no JSON to `FILE.invalid`, so that a person can repair it. */
function keepInvalid(file: string): void {
  if (!existsSync(file)) return
  try {
    JSON.parse(readRegularFile(file, MAX_OWN_BYTES))
  } catch {
    setAside(file)
  }
}
