import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { existsSync } from 'node:fs'
import { MAX_OWN_BYTES, readRegularFile } from '../../workspace/files/read-regular-file.ts'
import { settingsFile } from '../../workspace/files/own-folders.ts'
import { openOwnList } from '../../workspace/locks/own-list.ts'
import type { LockWait } from '../../workspace/locks/with-lock.ts'

/** An entry of a host that started a server directly, before the gateway took its server. */
interface ReplacedEntry {
  /** The file of the host. */
  root: string
  /** The name in this file that the entry of the gateway has now. */
  name: string
  /** The folder of the project for which the file of a user has the server. */
  project?: string
  /** The name that the entry had. */
  earlierName: string
  /** In the format of the host. */
  entry: JsonObject
  /** How it was written in the file. */
  source?: string
  /** The entry of the gateway that took its place. */
  gateway: JsonObject
}

type ReplacedServer = Pick<ReplacedEntry, 'name' | 'project'>

/** The replaced entries of one host's file. */
export interface ReplacedEntries {
  /** The file, if it exists and cannot be read, so that an earlier entry may be in it. */
  findDamaged(): string | undefined
  /** Returns the entry that a server had before. */
  find(server: ReplacedServer): Omit<ReplacedEntry, 'root' | 'name' | 'project'> | undefined
  /** Remembers the entry of a server in place of an older one. Rejects if it cannot be written. */
  remember(replaced: Omit<ReplacedEntry, 'root'>): Promise<void>
  /** Forgets the entry of a server. */
  forget(server: ReplacedServer): Promise<void>
}

/** Opens what this user has replaced in a host's file, so that `--uninstall` can put it back. Only the user can read it: entries contain keys of servers. */
export function openReplacedEntries(hostFile: string, wait: LockWait): ReplacedEntries {
  const file = settingsFile('replaced-entries.json')
  const { list, add, revoke } = openOwnList(file, 'entries', isReplaced, wait)
  const listAll = (server: ReplacedServer): ReturnType<typeof list> =>
    list(hostFile).filter(({ name, project }) => name === server.name && project === server.project)
  const forget = async (server: ReplacedServer): Promise<void> => {
    for (const { id } of listAll(server)) await revoke(id)
  }
  return {
    findDamaged: () => (isDamaged(file) ? file : undefined),
    find: (server) => listAll(server).at(-1),
    forget,
    remember: async (replaced) => {
      await forget(replaced)
      await add({ root: hostFile, ...replaced })
    },
  }
}

function isReplaced(value: unknown): value is ReplacedEntry & { id: string; at: string } {
  if (!isJsonObject(value) || !isJsonObject(value['entry'])) return false
  const { project, source, gateway } = value
  return (
    isJsonObject(gateway) &&
    (source === undefined || typeof source === 'string') &&
    ['id', 'root', 'at', 'name', 'earlierName'].every((key) => typeof value[key] === 'string') &&
    (project === undefined || typeof project === 'string')
  )
}

function isDamaged(file: string): boolean {
  if (!existsSync(file)) return false
  try {
    const content: unknown = JSON.parse(readRegularFile(file, MAX_OWN_BYTES))
    const entries = isJsonObject(content) ? content['entries'] : undefined
    return !Array.isArray(entries) || !entries.every(isReplaced)
  } catch {
    return true
  }
}
