import type { ConversationStore } from './store/conversation-store.ts'
import { createStore, type StoreOptions } from './store/create-store.ts'
import type { EventRows } from './rows/event-rows.ts'
import type { Durability } from './rows/sqlite/sqlite-schema.ts'
import { createMemoryRows } from './rows/memory-rows.ts'
import { StoreError } from './problems/store-error.ts'

/** How a store is opened. */
export interface OpenStoreOptions extends StoreOptions {
  /**
   * What an acknowledged append of a SQLite file survives: a power cut (`full`, the default), or only the end of its process (`normal`): then a power cut
   * may take the last appends, whole and from the end. PostgreSQL keeps to the settings of its server.
   */
  durability?: Durability
  /**
   * What opens addresses that this package does not know, by what stands before their colon: with `{jp: openJpRows}` (of `/import`), `jp:PATH` is
   * opened. It is given what stands behind the colon.
   */
  readers?: Readonly<Record<string, OpenStoreByAddress>>
}

/** Opens the rows at an address. */
export type OpenStoreByAddress = (path: string) => Promise<EventRows>

/**
 * Opens a store: `memory:` keeps events while the process lives, `sqlite:PATH` keeps them in a file, made with its folder
 * where there is none, and for its owner only, also where it was open to others. `postgres://…` keeps them in a database, for
 * several hosts at once; it needs the optional peer `pg`, and makes tables whose names begin with `toolblocks_`. A relative path starts at the current
 * directory. A file of an older layout is brought to this version's; where nothing can be written, a file is opened for
 * reading. What opens other addresses is given as `readers`.
 *
 * @throws {@link StoreError} `unsupported-url`, `cannot-open`, `not-a-store`, `newer-version`, `damaged`, `read-only`.
 */
export async function openStore(
  url: string,
  options: OpenStoreOptions = {},
): Promise<ConversationStore> {
  return createStore(await openRows(url, options), options)
}

async function openRows(
  url: string,
  { durability = 'full', readers = {} }: OpenStoreOptions,
): Promise<EventRows> {
  if (url === 'memory:') return createMemoryRows()
  if (/^postgres(?:ql)?:\/\//.test(url)) return await openDatabaseServer(url)
  const colon = url.indexOf(':')
  const [scheme, path] = [url.slice(0, Math.max(colon, 0)), url.slice(colon + 1)]
  if (scheme === 'sqlite' && path !== '') {
    const { openSqliteRows } = await import('./rows/sqlite/sqlite-rows.ts')
    return await openSqliteRows(path, durability)
  }
  const open = path !== '' && Object.hasOwn(readers, scheme) ? readers[scheme] : undefined
  if (open) return await open(path)
  const others = Object.keys(readers).map((name) => `, "${name}:PATH"`)
  const message = `The store ${JSON.stringify(url)} cannot be opened; expected "memory:", "sqlite:PATH"${others.join('')} or "postgres://…".`
  throw new StoreError('unsupported-url', message)
}

async function openDatabaseServer(url: string): Promise<EventRows> {
  const { connectWithPg } = await import('./rows/postgres/postgres-client.ts')
  const { openPostgresRows } = await import('./rows/postgres/postgres-rows.ts')
  return await openPostgresRows(await connectWithPg(url), withoutPassword(url))
}

/** What errors may say of an address. */
function withoutPassword(url: string): string {
  const { protocol, host, pathname } = URL.parse(url) ?? {
    protocol: 'postgres:',
    host: '',
    pathname: '',
  }
  return `${protocol}//${host}${pathname}`
}
