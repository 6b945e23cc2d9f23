import type { OpenStoreOptions } from '@toolblocks/conversation-store'
import { dirname, resolve } from 'node:path'
import type { Configuration } from './configuration/configuration.ts'
import { type UserSettings, userSettingsFile } from './configuration/user-settings.ts'
import { dataFile } from './files/own-folders.ts'

/** Where conversations are kept. */
export type ChosenStore =
  /** The folder names it, and nobody has agreed to that: nothing is kept, there or elsewhere. */
  | { kind: 'waiting'; name: string }
  /** The folder or the user has written it: calls are recorded there, too. */
  | { kind: 'written'; address: StoreAddress }
  /** Nobody has written any: chats and imports are kept in the user's folder for data. */
  | { kind: 'default'; address: StoreAddress }

/** Chooses the store of the folder, or else that of the user's settings, or else the default one. */
export function chooseStore({
  written,
  isAgreed,
  settings,
}: {
  /** As the file of the folder has it. */
  written: Pick<Configuration, 'root' | 'store'>
  isAgreed: boolean
  settings: Pick<UserSettings, 'store'>
}): ChosenStore {
  if (written.store) {
    const address = readStoreAddress(written.store.url, written.root)
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

/** Where conversations are kept. */
export interface StoreAddress {
  /** For `openStore`. */
  url: string
  /** For messages: the path of the file, or the server without user and password. */
  name: string
  /** The file, where it is one. */
  file?: string
}

const SQLITE = 'sqlite:'

/** What else `store.url` may name: what reads conversations of other programs is loaded only where it is used. */
export const READERS: NonNullable<OpenStoreOptions['readers']> = {
  jp: async (path) => {
    const { openJpRows } = await import('@toolblocks/conversation-store/import')
    return await openJpRows(path)
  },
}

/** Reads `store.url`; a relative path starts at `folder`, that of the file which says it. */
export function readStoreAddress(url: string, folder: string): StoreAddress {
  if (!url.startsWith(SQLITE)) return { url, name: withoutUser(url) }
  const file = resolve(folder, url.slice(SQLITE.length))
  return { url: `${SQLITE}${file}`, name: file, file }
}

function withoutUser(url: string): string {
  const { protocol, host, pathname } = URL.parse(url) ?? {}
  return protocol === undefined ? 'the database' : `${protocol}//${host}${pathname}`
}
