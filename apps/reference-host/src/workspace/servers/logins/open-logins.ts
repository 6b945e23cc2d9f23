import { hash } from 'node:crypto'
import { dirname, join } from 'node:path'
import { AuthorizationError } from '@toolblocks/mcp-bridge'
import type { Credential, CredentialStore } from '@toolblocks/mcp-bridge/oauth'
import { isJsonObject } from '@toolblocks/protocol'
import { parseJson } from '@toolblocks/protocol/internal'
import { dataFile } from '../../files/own-folders.ts'
import { findHolder, type Lock, LockHeld, withLock } from '../../locks/with-lock.ts'
import { type LoginPlace, openKeychain, openLoginFile } from './login-places.ts'

/** The logins of this user at MCP servers. Each function throws an `AuthorizationError` if a place cannot be used now. */
export interface Logins extends CredentialStore {
  /** The place for a new login, as a person calls it. */
  readonly placeName: string
  /** Returns the place of a login, if there is one. */
  findPlace(server: string): Promise<string | undefined>
  /** Describes another process that changes a login now, if there is one. */
  findHolder(server: string): string | undefined
}

/** Milliseconds that a change waits for another one, which may wait 10 seconds for tokens, and then for the keychain. */
const PATIENCE_MS = 30_000

let opened: Promise<Logins> | undefined

/**
 * Opens the logins of this user, once for a process: in the keychain of the system, or in a file if there is no keychain or `TOOLBLOCKS_LOGINS` is
 * `file`.
 */
export async function openLogins(): Promise<Logins> {
  opened ??= openPlaces()
  return await opened
}

async function openPlaces(): Promise<Logins> {
  const file = dataFile('logins.json')
  const keychain = process.env['TOOLBLOCKS_LOGINS'] === 'file' ? undefined : await openKeychain()
  return keepIn([...(keychain ? [keychain] : []), openLoginFile(file)], file)
}

/** Keeps logins in the first place that takes them, and finds them in each. */
export function keepIn(places: readonly LoginPlace[], file: string): Logins {
  async function find(
    server: string,
  ): Promise<{ loginPlace: LoginPlace; credential: Credential } | undefined> {
    const stored = await Promise.all(
      places.map(async (loginPlace) => {
        const credential = readCredential(await loginPlace.read(server), server)
        return credential ? [{ loginPlace, ...credential }] : []
      }),
    )
    // A keychain is not there in each session of a person: the newest login counts.
    return stored.flat().toSorted((one, other) => other.savedAt - one.savedAt)[0]
  }

  function getLock(server: string): Lock {
    const key = hash('sha256', server).slice(0, 32)
    // The rest of an address may have secrets.
    const subject = `the login at ${URL.parse(server)?.origin ?? 'a server'}`
    return { path: join(dirname(file), 'logins', `${key}.lock`), of: subject }
  }

  async function save(server: string, credential: Credential): Promise<void> {
    const secret = JSON.stringify({ savedAt: Date.now(), credential })
    let failure: unknown
    for (const loginPlace of places) {
      try {
        await loginPlace.write(server, secret)
        // An older login elsewhere would count if this place is missing later.
        for (const other of places) if (other !== loginPlace) await other.remove(server)
        return
      } catch (error) {
        // A keychain may take only short secrets.
        failure = error
      }
    }
    throw failure
  }

  return {
    placeName: places[0]?.name ?? '',
    findHolder: (server) => findHolder(getLock(server)),
    findPlace: async (server) => (await find(server))?.loginPlace.name,
    read: async (server) => (await find(server))?.credential,
    change: async (server, edit, signal) => {
      const wait = { patienceMs: PATIENCE_MS, ...(signal && { signal }) }
      return await withLock(getLock(server), wait, async () => {
        const current = (await find(server))?.credential
        const next = await edit(current)
        if (next === current) return next
        if (next) await save(server, next)
        else for (const loginPlace of places) await loginPlace.remove(server)
        return next
      }).catch((error: unknown) => {
        if (!(error instanceof LockHeld)) throw error
        const { reason, fix } = error
        throw new AuthorizationError(reason, { fix, transient: true, cause: error })
      })
    },
  }
}

function readCredential(
  text: string | undefined,
  server: string,
): { credential: Credential; savedAt: number } | undefined {
  const read = text === undefined ? undefined : parseJson(text)
  if (!isJsonObject(read)) return undefined
  const { credential, savedAt } = read
  return isCredential(credential) && credential.server === server
    ? { credential, savedAt: Number(savedAt) || 0 }
    : undefined
}

function isCredential(value: unknown): value is Credential {
  if (!isJsonObject(value)) return false
  const { server, issuer, accessToken, refreshToken, expiresAt, client } = value
  const texts = [server, issuer, accessToken, isJsonObject(client) ? client['id'] : undefined]
  return (
    texts.every((each) => typeof each === 'string') &&
    (refreshToken === undefined || typeof refreshToken === 'string') &&
    (expiresAt === undefined || isTime(expiresAt))
  )
}

/** Whether a value is a time that a date can have. */
function isTime(value: unknown): boolean {
  return typeof value === 'number' && !Number.isNaN(new Date(value).getTime())
}
