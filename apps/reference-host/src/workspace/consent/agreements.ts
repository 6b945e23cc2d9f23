import { readFileSync } from 'node:fs'
import type { AuthorityEntry } from './authority.ts'
import { writeInOneStep } from '../files/write-file.ts'
import { getOwnLock, type LockWait, withLock } from '../locks/with-lock.ts'

/** The permissions that this user has agreed to, by folder. */
export interface Agreements {
  /** Returns the entries that the user has not agreed to in this folder. */
  findNew(folder: string, entries: readonly AuthorityEntry[]): readonly AuthorityEntry[]
  /** Adds entries to those agreed to before. Rejects if the file cannot be written. */
  agree(folder: string, entries: readonly AuthorityEntry[]): Promise<void>
  /** Removes all entries of a folder and returns whether there were any. Rejects if the file cannot be written. */
  revoke(folder: string): Promise<boolean>
}

/** Opens the file of agreements. A file that cannot be read counts as empty. Entries are stored as hashes. */
export function openAgreements(file: string, wait: LockWait = {}): Agreements {
  /** The file is read again under the lock, so that changes of other processes are kept. */
  async function change(edit: (folders: Folders) => Folders): Promise<void> {
    await withLock(getOwnLock(file), wait, () => writeFolders(file, edit(readFolders(file))))
  }
  return {
    findNew(folder, entries) {
      const known = new Set(readFolders(file)[folder])
      return entries.filter(({ hash }) => !known.has(hash))
    },
    async agree(folder, entries) {
      if (entries.length === 0) return
      await change((folders) => {
        const hashes = new Set([...(folders[folder] ?? []), ...entries.map(({ hash }) => hash)])
        return { ...folders, [folder]: [...hashes].toSorted() }
      })
    },
    async revoke(folder) {
      if (readFolders(file)[folder] === undefined) return false
      await change(({ [folder]: _forgotten, ...others }) => others)
      return true
    },
  }
}

type Folders = Readonly<Record<string, readonly string[]>>

function readFolders(file: string): Folders {
  try {
    const { folders } = JSON.parse(readFileSync(file, 'utf8'))
    const entries = Object.entries(Object(folders)).filter((entry): entry is [string, string[]] =>
      Array.isArray(entry[1]),
    )
    return Object.fromEntries(entries)
  } catch {
    return {}
  }
}

function writeFolders(file: string, folders: Folders): void {
  writeInOneStep({ path: file }, `${JSON.stringify({ folders }, null, 2)}\n`, {
    mode: 0o600,
  })
}
