import { randomUUID } from 'node:crypto'
import { isJsonObject } from '@toolblocks/protocol'
import { MAX_OWN_BYTES, readRegularFile } from '../files/read-regular-file.ts'
import { changeOwnJson } from './change-own-json.ts'
import type { LockWait } from './with-lock.ts'

/** An entry of a list that a person keeps for all workspaces. */
interface OwnEntry {
  /** The id by which it is removed. */
  id: string
  /** What it is for: the folder of a workspace, or servers that were typed. */
  root: string
  /** When it was added: ISO 8601, UTC. */
  at: string
}

/** A list of a person, in one file. */
interface OwnList<Entry extends OwnEntry> {
  /** Returns the entries of one workspace, or all, the oldest first. */
  list(root?: string): readonly Entry[]
  /** Adds an entry. Rejects if the file cannot be written. */
  add(entry: Omit<Entry, 'id' | 'at'>): Promise<OwnEntry>
  /** Removes an entry and returns it. `undefined`: it does not exist. */
  revoke(id: string): Promise<Entry | undefined>
}

/** Opens a list, which is at a key of a JSON file. A file that cannot be read has no entries, and invalid ones are ignored. */
export function openOwnList<Entry extends OwnEntry>(
  file: string,
  key: string,
  isEntry: (value: unknown) => value is Entry,
  wait: LockWait = {},
): OwnList<Entry> {
  function read(): readonly Entry[] {
    try {
      const content: unknown = JSON.parse(readRegularFile(file, MAX_OWN_BYTES))
      const entries = isJsonObject(content) ? content[key] : undefined
      return Array.isArray(entries) ? entries.filter(isEntry) : []
    } catch {
      return []
    }
  }

  const change = async (edit: (before: readonly Entry[]) => readonly OwnEntry[]): Promise<void> =>
    await changeOwnJson(file, wait, () => ({ [key]: edit(read()) }))

  return {
    list: (root) => read().filter((each) => root === undefined || each.root === root),
    add: async (entry) => {
      const named = { id: randomUUID().slice(0, 8), at: new Date().toISOString() }
      const added = { ...entry, ...named, root: entry.root }
      await change((before) => [...before, added])
      return added
    },
    revoke: async (id) => {
      const hasId = (each: Entry): boolean => each.id === id
      let stored = read().find(hasId)
      if (stored)
        await change((before) => {
          stored = before.find(hasId)
          return before.filter((each) => !hasId(each))
        })
      return stored
    },
  }
}
