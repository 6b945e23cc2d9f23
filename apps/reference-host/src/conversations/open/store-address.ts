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

/** Reads `store.url`: a relative path starts at the folder of the configuration. Absent where nothing is kept. */
export function storeAddress({
  root,
  store,
}: Pick<Configuration, 'root' | 'store'>): StoreAddress | undefined {
  if (!store) return undefined
  const { url } = store
  if (!url.startsWith(SQLITE)) return { url, name: withoutUser(url) }
  const file = resolve(root, url.slice(SQLITE.length))
  return { url: `${SQLITE}${file}`, name: file, file }
}

function withoutUser(url: string): string {
  const { protocol, host, pathname } = URL.parse(url) ?? {}
  return protocol === undefined ? 'the database' : `${protocol}//${host}${pathname}`
}
