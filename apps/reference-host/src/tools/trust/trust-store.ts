import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { writeInOneStep } from '../../files/write-in-one-step.ts'

/** Which commands a person lets start from which folder. */
export interface TrustStore {
  /** Those of some commands that nobody has agreed to. */
  untrusted(folder: string, commands: readonly string[]): readonly string[]
  /** Remembers a yes. Throws where it cannot be written. */
  trust(folder: string, commands: readonly string[]): void
}

/** Opens the store of this user. A file that cannot be read trusts nothing. Commands are kept as hashes. */
export function openTrustStore(file: string): TrustStore {
  return {
    untrusted(folder, commands) {
      const known = new Set(readFolders(file)[folder])
      return commands.filter((command) => !known.has(hashOf(command)))
    },
    trust(folder, commands) {
      const folders = readFolders(file)
      const hashes = new Set([...(folders[folder] ?? []), ...commands.map(hashOf)])
      writeFolders(file, { ...folders, [folder]: [...hashes].toSorted() })
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
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeInOneStep(file, `${JSON.stringify({ folders }, null, 2)}\n`, { mode: 0o600 })
}

function hashOf(command: string): string {
  return createHash('sha256').update(command).digest('hex')
}
