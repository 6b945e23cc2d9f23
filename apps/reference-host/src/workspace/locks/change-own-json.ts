import { writeInOneStep } from '../files/write-file.ts'
import { getOwnLock, type LockWait, withLock } from './with-lock.ts'

/**
 * Writes a JSON file in the own folders of this user, which only the user can read. `change` reads the file again under the lock, so that changes of
 * other processes are kept, and returns the new content.
 */
export async function changeOwnJson(
  file: string,
  wait: LockWait,
  change: () => unknown,
): Promise<void> {
  await withLock(getOwnLock(file), wait, () =>
    writeInOneStep({ path: file }, `${JSON.stringify(change(), null, 2)}\n`, { mode: 0o600 }),
  )
}
