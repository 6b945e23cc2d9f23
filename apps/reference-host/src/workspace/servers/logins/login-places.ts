import { existsSync, lstatSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { formatCommand } from '@toolblocks/local-executor/internal'
import { AuthorizationError } from '@toolblocks/mcp-bridge'
import { isJsonObject } from '@toolblocks/protocol'
import { quoteName } from '@toolblocks/protocol/internal'
import { readRegularFile } from '../../files/read-regular-file.ts'
import { changeOwnJson } from '../../locks/change-own-json.ts'

/** A place for secrets of this user, by name. Each function throws an `AuthorizationError` if the place cannot be used now. */
export interface LoginPlace {
  /** What a person calls it. */
  readonly name: string
  read(key: string): Promise<string | undefined>
  write(key: string, secret: string): Promise<void>
  remove(key: string): Promise<void>
}

const SERVICE = 'toolblocks'
/** Milliseconds for an answer of the keychain. A locked one asks a person, who may not be there. */
const KEYCHAIN_MS = 10_000
const MAX_FILE_BYTES = 4 * 1024 * 1024

/**
 * Opens the keychain of the system: Keychain, Credential Manager, or the secret service of a desktop. Returns `undefined` without one, and without
 * `@napi-rs/keyring`. The keyring of the Linux kernel is never used: a restart empties it.
 */
export async function openKeychain(): Promise<LoginPlace | undefined> {
  const keyring = await import('@napi-rs/keyring').catch(() => undefined)
  if (!keyring) return undefined
  const open = (key: string): InstanceType<typeof keyring.AsyncEntry> =>
    new keyring.AsyncEntry(SERVICE, key, { linux: { store: 'secret-service' } })
  try {
    await inTime(open('a key that nothing has').getPassword())
  } catch {
    return undefined
  }
  return {
    name: 'the keychain of the system',
    read: async (key) => (await use(open(key).getPassword(), 'read from')) ?? undefined,
    write: async (key, secret) => await use(open(key).setPassword(secret), 'written to'),
    remove: async (key) => void (await use(open(key).deletePassword(), 'removed from')),
  }
}

async function use<Value>(
  work: Promise<Value>,
  what: 'read from' | 'written to' | 'removed from',
): Promise<Value> {
  try {
    return await inTime(work)
  } catch (error) {
    const { message, cause } = error instanceof Error ? error : new Error(String(error))
    const reason = cause instanceof Error ? cause.message : message
    throw new AuthorizationError(
      `the login could not be ${what} the keychain of the system (${quoteName(reason)})`,
      {
        fix: 'Unlock the keychain, or set the variable TOOLBLOCKS_LOGINS=file and log in again: logins are then kept in a file.',
        cause: error,
      },
    )
  }
}

async function inTime<Value>(work: Promise<Value>): Promise<Value> {
  const late = pause(KEYCHAIN_MS, undefined, { ref: false }).then(() => {
    throw new Error('the keychain does not answer')
  })
  return await Promise.race([work, late])
}

/** Opens a file that only this user can read. Throws at each use while others can read it, or if it has another content. */
export function openLoginFile(file: string): LoginPlace {
  const edit = async (change: (logins: Record<string, string>) => void): Promise<void> =>
    await changeOwnJson(file, {}, () => {
      const logins = readLogins(file)
      change(logins)
      return { logins }
    })
  return {
    name: file,
    read: async (key) => {
      const logins = readLogins(file)
      return Object.hasOwn(logins, key) ? logins[key] : undefined
    },
    write: async (key, secret) => await edit((logins) => (logins[key] = secret)),
    remove: async (key) => {
      if (Object.hasOwn(readLogins(file), key)) await edit((logins) => delete logins[key])
    },
  }
}

function readLogins(file: string): Record<string, string> {
  if (!existsSync(file)) return {}
  const { mode, uid } = lstatSync(file)
  // Windows protects the folder of the user by other means.
  if (process.platform !== 'win32') {
    if ((mode & 0o077) !== 0)
      throw new AuthorizationError(`other users can read the logins in ${file}`, {
        fix: `Log out of the servers elsewhere if others may have read it, and run: ${formatCommand(['chmod', '600', file])}`,
      })
    if (uid !== process.getuid?.())
      throw new AuthorizationError(`${file} belongs to another user`, { fix: 'Remove it.' })
  }
  const read: unknown = parse(readRegularFile(file, MAX_FILE_BYTES))
  const logins = isJsonObject(read) ? read['logins'] : undefined
  if (!isJsonObject(logins))
    throw new AuthorizationError(`${file} has no logins that can be read`, {
      fix: 'Remove it, and log in again.',
    })
  const texts = Object.entries(logins).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  return Object.fromEntries(texts)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The message of the error would quote the file.
    return undefined
  }
}
