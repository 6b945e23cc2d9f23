import { isJsonObject, type JsonObject } from '@toolblocks/protocol'
import { createGuardedFetch, type GuardedFetch } from '../login/guarded-fetch.ts'

/** The metadata of an issuer could not be read, or is not that of the issuer. */
export class IssuerError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'IssuerError'
  }
}

/** The keys with which an issuer signs. */
export interface IssuerKeys {
  /** Returns the key set (RFC 7517). `isUnknown`: a token names a key that was not in the last one. Rejects if it cannot be read. */
  read(options?: { isUnknown?: boolean }): Promise<JsonObject>
}

/** Milliseconds after which keys are read again. */
const MAX_AGE_MS = 10 * 60 * 1000
/** Milliseconds in which an unknown key, or a failure, does not make them be read again: anybody can send a token that names one. */
const COOL_DOWN_MS = 30 * 1000

/** Reads the keys of an issuer at the address that its metadata names (RFC 8414, OpenID Connect), and keeps them for a time. */
export function createIssuerKeys(
  issuer: string,
  { allowHosts = [], now = Date.now }: { allowHosts?: readonly string[]; now?: () => number } = {},
): IssuerKeys {
  const { fetch } = createGuardedFetch({ server: new URL(issuer), allowHosts })
  let known: { keys: JsonObject; at: number } | undefined
  let triedAt = -Infinity
  let reading: Promise<JsonObject> | undefined

  async function load(): Promise<JsonObject> {
    triedAt = now()
    const { jwks_uri: address } = await findMetadata(issuer, fetch)
    if (typeof address !== 'string')
      throw new IssuerError(`the metadata of ${issuer} names no "jwks_uri"`)
    const keys = await readObject(address, fetch)
    if (!keys || !Array.isArray(keys['keys']))
      throw new IssuerError(`${issuer} has no keys at its "jwks_uri"`)
    known = { keys, at: now() }
    return keys
  }

  return {
    read: async ({ isUnknown = false } = {}) => {
      const isFresh = known !== undefined && now() - known.at < MAX_AGE_MS
      const isCool = now() - triedAt >= COOL_DOWN_MS
      if (known && isFresh && !(isUnknown && isCool)) return known.keys
      if (!isFresh && !reading && !isCool)
        throw new IssuerError(`the keys of ${issuer} could not be read a moment ago`)
      reading ??= load().finally(() => (reading = undefined))
      try {
        return await reading
      } catch (error) {
        // An issuer that is away for a moment takes nobody's access.
        if (known && isFresh) return known.keys
        throw error
      }
    },
  }
}

/** Returns the metadata of an issuer. Its `issuer` is compared, so that no other one is believed. */
export async function findMetadata(
  issuer: string,
  fetch: GuardedFetch['fetch'],
): Promise<JsonObject> {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/, '')
  const addresses = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ]
  for (const address of addresses) {
    const metadata = await readObject(address, fetch)
    if (!metadata) continue
    if (metadata['issuer'] !== issuer)
      throw new IssuerError(`the metadata at ${address} is that of another issuer than ${issuer}`)
    return metadata
  }
  throw new IssuerError(`${issuer} publishes no metadata`)
}

/** Returns the JSON object at an address; `undefined` if there is no such page. */
async function readObject(
  address: string,
  fetch: GuardedFetch['fetch'],
): Promise<JsonObject | undefined> {
  const response = await fetch(address, { headers: { accept: 'application/json' } })
  if (response.status === 404) return undefined
  if (!response.ok) throw new IssuerError(`${address} answers with ${response.status}`)
  const value: unknown = await response.json().catch(() => undefined)
  if (!isJsonObject(value)) throw new IssuerError(`${address} has no JSON object`)
  return value
}
