import { resolve } from 'node:path'
import type { OpenOptions } from '@toolblocks/conversation-store'

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
export const READERS: NonNullable<OpenOptions['readers']> = {
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
