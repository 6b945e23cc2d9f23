import type { ConversationStore, OpenStoreOptions } from '@toolblocks/conversation-store'
import { dirname, resolve } from 'node:path'
import type { Configuration } from '../configuration/configuration.ts'
import { userSettingsFile } from '../configuration/user-settings.ts'
import type { UserSettings } from '../configuration/user-settings-schema.ts'
import { dataFile } from '../files/own-folders.ts'
import { findRealPath, isInFolder } from '../files/real-path.ts'

/** The store that conversations are written to. */
export type ChosenStore =
  /** The folder names a store that the user has not agreed to. Nothing is stored, neither there nor elsewhere. */
  | { kind: 'waiting'; name: string }
  /** The folder or the user names it. Calls are recorded there, too. */
  | { kind: 'written'; address: StoreAddress }
  /** No store is configured. Chats and imports are stored in the user's data folder. */
  | { kind: 'default'; address: StoreAddress }

/** Chooses the store of the folder, otherwise the one of the user's settings, otherwise the default one. */
export function chooseStore({
  written,
  isAgreed,
  settings,
}: {
  /** The values from the folder's file, before the user decides. */
  written: Pick<Configuration, 'root' | 'store'>
  isAgreed: boolean
  settings: Pick<UserSettings, 'store'>
}): ChosenStore {
  if (written.store) {
    const address = { ...readStoreAddress(written.store.url, written.root), root: written.root }
    return isAgreed ? { kind: 'written', address } : { kind: 'waiting', name: address.name }
  }
  if (settings.store) {
    const address = readStoreAddress(settings.store.url, dirname(userSettingsFile()))
    return { kind: 'written', address }
  }
  return {
    kind: 'default',
    address: readStoreAddress(`sqlite:${dataFile('conversations.db')}`, '/'),
  }
}

/** Whether several machines can use a store. */
export function isOfSeveralMachines(chosen: ChosenStore): boolean {
  return chosen.kind === 'written' && /^postgres(ql)?:/.test(chosen.address.url)
}

/** The address of a store. */
export interface StoreAddress {
  /** The URL for `openStore`. */
  url: string
  /** The name for messages: the path of the file, or the server without user and password. */
  name: string
  /** The path of the file, if the store is a file. */
  file?: string
  /** The folder whose configuration names the store. A path in it never leads out of it. */
  root?: string
}

const SQLITE = 'sqlite:'

/** Readers of further schemes of `store.url`. Readers of other programs' conversations are loaded only when they are used. */
const OPENERS: NonNullable<OpenStoreOptions['openers']> = {
  jp: async (path) => {
    const { openJpStore } = await import('@toolblocks/session-import')
    return await openJpStore(path)
  },
}

/** How a store is opened. */
interface OpenAtOptions {
  /** Replaces the URL of the address. */
  url?: string
  /** Called if an operation has waited for another process for a second, with what it waits for. */
  onWait?: (what: string) => void
}

/** Opens a store. Throws an error for a file in a folder from where a link leads elsewhere. */
export async function openStoreAt(
  { url: own, file, root }: Omit<StoreAddress, 'name'>,
  { url = own, onWait }: OpenAtOptions = {},
): Promise<ConversationStore> {
  // Loaded only if a store is used.
  const { openStore, StoreError } = await import('@toolblocks/conversation-store')
  if (file !== undefined && root !== undefined && isInFolder(file, root)) {
    const [realFile, folder] = [findRealPath(file), findRealPath(root)]
    if (realFile === undefined || folder === undefined || !isInFolder(realFile, folder)) {
      const where =
        realFile === undefined ? 'cannot be found' : `leads out of ${root} to ${realFile}`
      const message = `The store ${file} ${where}: expected a file in the folder; remove links and other things in its place.`
      throw new StoreError('cannot-open', message)
    }
  }
  // Nobody typed the path of the default store.
  const createFolders = file !== undefined && file === dataFile('conversations.db')
  return await openStore(url, { openers: OPENERS, createFolders, ...(onWait && { onWait }) })
}

/** Parses `store.url`. A relative path starts at `folder`, the folder of the file with that key. */
export function readStoreAddress(url: string, folder: string): StoreAddress {
  if (!url.startsWith(SQLITE)) return { url, name: withoutUser(url) }
  const file = resolve(folder, url.slice(SQLITE.length))
  return { url: `${SQLITE}${file}`, name: file, file }
}

function withoutUser(url: string): string {
  const { protocol, host, pathname } = URL.parse(url) ?? {}
  return protocol === undefined ? 'the database' : `${protocol}//${host}${pathname}`
}
