import { resolve } from 'node:path'
import type { Configuration } from '../../configuration/configuration.ts'

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

/** Where a chat keeps its conversations, unless the configuration says otherwise: beside it. */
const OF_CHATS = 'sqlite:.toolblocks/conversations.db'

/** As `storeAddress`; where nothing is said, the file of the chats. */
export function chatAddress({
  root,
  store = { url: OF_CHATS },
}: Pick<Configuration, 'root' | 'store'>): StoreAddress {
  return readAddress(root, store.url)
}

/** Reads `store.url`: a relative path starts at the folder of the configuration. Absent where nothing is kept. */
export function storeAddress({
  root,
  store,
}: Pick<Configuration, 'root' | 'store'>): StoreAddress | undefined {
  return store && readAddress(root, store.url)
}

function readAddress(root: string, url: string): StoreAddress {
  if (!url.startsWith(SQLITE)) return { url, name: withoutUser(url) }
  const file = resolve(root, url.slice(SQLITE.length))
  return { url: `${SQLITE}${file}`, name: file, file }
}

function withoutUser(url: string): string {
  const { protocol, host, pathname } = URL.parse(url) ?? {}
  return protocol === undefined ? 'the database' : `${protocol}//${host}${pathname}`
}
