import { requireArguments, requireChoices } from '@toolblocks/protocol/internal'
import type { ConversationStore } from './store/conversation-store.ts'
import { createStore, type StoreOptions } from './store/create-store.ts'
import type { Durability } from './rows/sqlite/sqlite-schema.ts'
import { StoreError } from './problems/store-error.ts'

/** How a store is opened. */
export interface OpenStoreOptions extends StoreOptions {
  /**
   * What an acknowledged append of a SQLite file survives: a power cut (`full`, the default), or only the end of its process (`normal`). With
   * `normal`, a power cut may remove the last appends, each of them completely. PostgreSQL uses the settings of its server.
   */
  durability?: Durability
  /**
   * Whether all missing folders above a SQLite file are created. Default: only the folder of the file is, so a mistyped path is an error. A host sets it
   * for a path that nobody typed.
   */
  createFolders?: boolean
  /** Called if an operation of a SQLite file has waited for another process for a second, with what it waits for. After ten seconds it fails with `busy`. */
  onWait?: (what: string) => void
  /**
   * Functions that open addresses of other schemes, by the text before their colon. With `{jp: openJpStore}` (of `/import`), `jp:PATH` can be
   * opened. A function receives the text after the colon.
   */
  openers?: Readonly<Record<string, OpenStoreByAddress>>
}

/** Opens the store at an address. */
export type OpenStoreByAddress = (path: string) => Promise<ConversationStore>

/**
 * Opens a store. `memory:` keeps events while the process lives. `sqlite:PATH` keeps them in a file. The file and its folder are created if they do
 * not exist (of other folders see `createFolders`), and only the owner may open the file, even if others could before. `postgres://…` keeps them in a database, for several hosts at once;
 * it needs the optional peer `pg`, and creates tables whose names begin with `toolblocks_`. A relative path starts at the current directory. A file
 * of an earlier version gets the layout of this one. A file that cannot be written is opened for reading. Other addresses are opened by
 * `openers`.
 *
 * @throws {@link StoreError} `unsupported-url`, `cannot-open`, `not-a-store`, `newer-version`, `older-version`, `damaged`, `read-only`.
 */
export async function openStore(
  url: string,
  options: OpenStoreOptions = {},
): Promise<ConversationStore> {
  requireArguments('openStore(url, …)', [url, 'string'])
  requireChoices('openStore(url, options)', 'options', options, { durability: ['full', 'normal'] })
  const { durability, createFolders, onWait, openers = {} } = options
  if (/^postgres(?:ql)?:\/\//.test(url)) return createStore(await openDatabaseServer(url), options)
  const colon = url.indexOf(':')
  const [scheme, path] =
    url === 'memory:'
      ? ['sqlite', ':memory:']
      : [url.slice(0, Math.max(colon, 0)), url.slice(colon + 1)]
  if (scheme === 'sqlite' && path !== '') {
    // As in addresses of files, `///` begins a path from the root. With two slashes, nobody can tell what is meant.
    if (/^\/\/(?!\/)/.test(path)) {
      const [relative, absolute] = [`sqlite:${path.slice(2)}`, `sqlite:${path.slice(1)}`]
      const message = `The store ${JSON.stringify(url)} cannot be opened: expected ${JSON.stringify(relative)} for a path from the current folder, or ${JSON.stringify(absolute)} for one from the root.`
      throw new StoreError('unsupported-url', message)
    }
    const { openSqliteRows } = await import('./rows/sqlite/sqlite-rows.ts')
    const rows = await openSqliteRows(path, {
      ...(durability && { durability }),
      ...(createFolders !== undefined && { createFolders }),
      ...(onWait && { onWait }),
    })
    return createStore(rows, options)
  }
  const open = path !== '' && Object.hasOwn(openers, scheme) ? openers[scheme] : undefined
  if (open) return await open(path)
  const others = Object.keys(openers).map((name) => `, "${name}:PATH"`)
  const message = `The store ${JSON.stringify(url)} cannot be opened; expected "memory:", "sqlite:PATH"${others.join('')} or "postgres://…".`
  throw new StoreError('unsupported-url', message)
}

async function openDatabaseServer(url: string) {
  const { connectWithPg } = await import('./rows/postgres/postgres-client.ts')
  const { openPostgresRows } = await import('./rows/postgres/postgres-rows.ts')
  return await openPostgresRows(await connectWithPg(url), withoutPassword(url))
}

/** Returns an address without its password, for errors. */
function withoutPassword(url: string): string {
  const { protocol, host, pathname } = URL.parse(url) ?? {
    protocol: 'postgres:',
    host: '',
    pathname: '',
  }
  return `${protocol}//${host}${pathname}`
}
