import type { ConversationStore } from './conversation-store.ts'
import { createStore, type StoreOptions } from './create-store.ts'
import type { EventRows } from './rows/event-rows.ts'
import type { Durability } from './rows/sqlite/layout/sqlite-schema.ts'
import { createMemoryRows } from './rows/memory-rows.ts'
import { StoreError } from './store-error.ts'

/** How a store is opened. */
export interface OpenOptions extends StoreOptions {
  /**
   * What an acknowledged append of a SQLite file survives: a power cut (`full`, the default), or only the end of its process (`normal`): then a power cut
   * may take the last appends, whole and from the end. PostgreSQL keeps to the settings of its server.
   */
  durability?: Durability
}

/**
 * Opens a store: `memory:` keeps events while the process lives, `sqlite:PATH` keeps them in a file, made with its folder
 * where there is none, and for its owner only, also where it was open to others. `postgres://…` keeps them in a database, for
 * several hosts at once; it needs the optional peer `pg`, and makes tables whose names begin with `toolblocks_`. A relative path starts at the current
 * directory. A file of an older layout is brought to this version's; where nothing can be written, a file is opened for
 * reading. `jp:PATH` reads the conversations that JP keeps in a folder, into memory, and writes nothing.
 *
 * @throws {@link StoreError} `unsupported-url`, `cannot-open`, `not-a-store`, `newer-version`, `damaged`, `read-only`.
 */
export async function openStore(
  url: string,
  options: OpenOptions = {},
): Promise<ConversationStore> {
  return createStore(await openRows(url, options.durability ?? 'full'), options)
}

async function openRows(url: string, durability: Durability): Promise<EventRows> {
  if (url === 'memory:') return createMemoryRows()
  if (/^postgres(?:ql)?:\/\//.test(url)) return await openDatabaseServer(url)
  if (url.startsWith('jp:') && url !== 'jp:') {
    // What reads older conversations is loaded only where it is used.
    const { openJpRows } = await import('./import/into-store/open-jp-rows.ts')
    return await openJpRows(url.slice('jp:'.length))
  }
  const path = url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : ''
  if (path === '') {
    const message = `The store ${JSON.stringify(url)} cannot be opened; expected "memory:", "jp:PATH", "sqlite:PATH" or "postgres://…".`
    throw new StoreError('unsupported-url', message)
  }
  // node:sqlite is loaded only where it is used: on Node 22 it warns of being new.
  const { openSqliteRows } = await import('./rows/sqlite/sqlite-rows.ts')
  return await openSqliteRows(path, durability)
}

async function openDatabaseServer(url: string): Promise<EventRows> {
  const { connectWithPg } = await import('./rows/postgres/connect-with-pg.ts')
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
