import { hash, randomUUID } from 'node:crypto'
import { type Documents, StoreError, type StoredDocument } from '@toolblocks/conversation-store'
import { AuthorizationError } from '@toolblocks/mcp-bridge'
import type { ClientIdentity } from '@toolblocks/mcp-bridge/identity'
import type { Credential, CredentialStore } from '@toolblocks/mcp-bridge/oauth'
import { isJsonObject, type JsonObject } from '@toolblocks/protocol'
import type { ValueSealer } from '../sign-in/seal-values.ts'

/** The collections of the documents. */
const LOGINS = 'server-login'
const LOCKS = 'server-login-lock'
/** Milliseconds after which a lock that has not changed belongs to a process that has ended: a change asks for tokens once, within 10 seconds. */
const LOCK_MS = 60_000

/** Who has a login where, without its tokens. */
export interface StoredLogin {
  /** By which it is removed. */
  id: string
  /** Its row was changed outside the store, so that it counts as none and nobody knows whose it was. */
  isDamaged?: true
  server: string
  /** The name of the person or the client. */
  name: string
  /** When the person has logged in: ISO 8601, UTC. */
  since: string
}

/** The login of one person at one server. */
interface LoginOfPerson extends CredentialStore {
  /** Whether there is a login that may be used. */
  isUsable(url: string): Promise<boolean>
  /** Settles when there is one, or the signal aborts. */
  wait(url: string, signal: AbortSignal): Promise<void>
}

/** The logins of people at servers, encrypted in the documents of a store. */
export interface StoredLogins {
  of(person: Pick<ClientIdentity, 'id' | 'name'>, server: string): LoginOfPerson
}

type LoginDocuments = Pick<Documents, 'read' | 'write' | 'changed'>

/** A row as it was read. A damaged one has only its version, with which it is replaced or removed. */
type LoginRow = Pick<StoredDocument, 'version'> & Partial<Pick<StoredDocument, 'state' | 'value'>>

/**
 * Opens the logins of a store. What is sealed is about one person, one server and one address, so nobody who can write into the store gives a login to another person. A login that this key
 * does not open is reported, and counts as none. `lockMs` is for tests.
 */
export function openStoredLogins(
  documents: LoginDocuments,
  sealer: ValueSealer,
  { warn, lockMs = LOCK_MS }: { warn: (message: string) => void; lockMs?: number },
): StoredLogins {
  const reported = new Set<string>()
  return {
    of: ({ id: person, name }, server) => {
      const id = identify(person, server)
      function open(document: LoginRow | undefined, url: string): Credential | undefined {
        const { sealed } = readValue(document)
        if (typeof sealed !== 'string') return undefined
        const value = sealer.open(sealed, about(person, server, url))
        if (isCredential(value) && value.server === url) return value
        if (!reported.has(sealed))
          warn(
            `the login of ${name} at ${server} cannot be opened: it was changed, or encrypted with another key`,
          )
        reported.add(sealed)
        return undefined
      }

      /** A row that was changed outside the store counts as none. */
      const find = async (): Promise<LoginRow | undefined> => {
        const row = await readRow(documents, id)
        if (row?.state === undefined && row && !reported.has(id)) {
          warn(`the login of ${name} at ${server} cannot be read: its row was changed`)
          reported.add(id)
        }
        return row
      }
      const isUsable = (document: LoginRow | undefined, url: string): boolean => {
        const kept = open(document, url)
        return kept !== undefined && kept.unusable === undefined
      }

      return {
        read: async (url) => open(await find(), url),
        isUsable: async (url) => isUsable(await find(), url),
        wait: async (url, signal) => {
          while (!signal.aborted) {
            const document = await find()
            if (isUsable(document, url)) return
            await documents.changed(LOGINS, id, document?.version ?? 0, signal)
          }
        },
        change: async (url, edit, signal) =>
          await withLock(documents, id, { signal, lockMs }, async () => {
            const document = await find()
            const current = open(document, url)
            const next = await edit(current)
            if (next === current) return next
            const { since } = readValue(document)
            const isSame = current !== undefined && typeof since === 'string'
            const value = next && {
              person,
              name,
              server,
              since: isSame && isRenewal(current, next) ? since : new Date().toISOString(),
              sealed: sealer.seal({ ...next }, about(person, server, url)),
            }
            const { ok, document: stored } = await documents.write({
              collection: LOGINS,
              id,
              version: document?.version ?? 0,
              state: value ? 'kept' : 'removed',
              value: value ?? { server, name },
            })
            // The operator has removed it meanwhile, or the lock was lost: what is stored counts.
            return ok ? next : open(stored, url)
          }),
      }
    },
  }
}

/** Reads a row. One that is not as it was written has only its version. */
async function readRow(
  documents: Pick<Documents, 'read'>,
  id: string,
): Promise<LoginRow | undefined> {
  try {
    return await documents.read(LOGINS, id)
  } catch (error) {
    const version = error instanceof StoreError ? error.version : undefined
    if (version === undefined) throw error
    return { version }
  }
}

/** Lists who has a login where. The key is not needed. */
export async function listStoredLogins(
  documents: Pick<Documents, 'list'>,
): Promise<readonly StoredLogin[]> {
  const { documents: rows, damaged } = await documents.list(LOGINS, {
    state: 'kept',
    limit: Infinity,
  })
  const readable = rows.map(({ id, value }) => {
    const { server, name, since } = isJsonObject(value) ? value : {}
    const texts = [server, name, since].map((each) => (typeof each === 'string' ? each : ''))
    return { id, server: texts[0] ?? '', name: texts[1] ?? '', since: texts[2] ?? '' }
  })
  const unreadable = damaged.map(
    ({ id }) => ({ id, isDamaged: true, server: '', name: '', since: '' }) as const,
  )
  return [...readable, ...unreadable]
}

/** Removes a login. Services use it no more from the next request on. Returns whose it was. `undefined`: it does not exist. */
export async function removeStoredLogin(
  documents: Pick<Documents, 'read' | 'write'>,
  id: string,
): Promise<{ server: string; name: string } | undefined> {
  for (;;) {
    const document = await readRow(documents, id)
    if (!document || document.state === 'removed') return undefined
    const { server = '', name = '' }: JsonObject = readValue(document)
    const value = { server: String(server), name: String(name) }
    const { ok } = await documents.write({
      collection: LOGINS,
      id,
      version: document.version,
      state: 'removed',
      value,
    })
    if (ok) return value
  }
}

function identify(person: string, server: string): string {
  return hash('sha256', JSON.stringify([person, server])).slice(0, 32)
}

function about(person: string, server: string, url: string): readonly string[] {
  return ['login', person, server, url]
}

/** Whether the tokens were only renewed: the login is still that of its first day. */
function isRenewal(before: Credential, { issuer, client, unusable }: Credential): boolean {
  return unusable === undefined && before.issuer === issuer && before.client.id === client.id
}

function readValue(document: LoginRow | undefined): JsonObject {
  return isJsonObject(document?.value) ? document.value : {}
}

function isCredential(value: unknown): value is Credential {
  if (!isJsonObject(value)) return false
  const { server, issuer, accessToken, client } = value
  const texts = [server, issuer, accessToken, isJsonObject(client) ? client['id'] : undefined]
  return texts.every((each) => typeof each === 'string')
}

/** Runs the only change of a login, in all processes with the store: an authorization server accepts a refresh token once. */
async function withLock<Value>(
  documents: LoginDocuments,
  id: string,
  { signal, lockMs }: { signal: AbortSignal | undefined; lockMs: number },
  work: () => Promise<Value>,
): Promise<Value> {
  const holder = randomUUID()
  const write = async (version: number, state: 'held' | 'free'): Promise<number | undefined> => {
    const written = await documents.write({
      collection: LOCKS,
      id,
      version,
      state,
      value: { holder },
    })
    return written.ok ? written.document.version : undefined
  }
  /** The version of a held lock, since when it has not changed. */
  let waiting: { version: number; since: number } | undefined
  for (;;) {
    signal?.throwIfAborted()
    const lock = await documents.read(LOCKS, id)
    const version = lock?.version ?? 0
    if (waiting?.version !== version) waiting = { version, since: performance.now() }
    const left = lockMs - (performance.now() - waiting.since)
    if (lock?.state !== 'held' || left <= 0) {
      const held = await write(version, 'held')
      if (held === undefined) continue
      try {
        return await work()
      } finally {
        // A failure here ends with the time of the lock.
        await write(held, 'free').catch(() => undefined)
      }
    }
    const late = AbortSignal.timeout(Math.ceil(left))
    await documents.changed(LOCKS, id, version, signal ? AbortSignal.any([signal, late]) : late)
  }
}

/** The error of a request without a login. */
export function needLogin(server: string, address: string): AuthorizationError {
  return new AuthorizationError(`you are not logged in at the server ${JSON.stringify(server)}`, {
    fix: `Open ${address} in a browser and log in there.`,
  })
}
