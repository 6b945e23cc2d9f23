import { createHash } from 'node:crypto'
import { isJsonObject, type JsonObject } from '@toolblocks/protocol'
import { createGuardedFetch } from '../login/guarded-fetch.ts'
import { findMetadata, IssuerError } from './issuer-keys.ts'

/** How a service asks the issuer about tokens that say nothing themselves (RFC 7662). */
export interface IntrospectionOptions {
  /** The address to ask. Default: the one that the metadata of the issuer names. */
  readonly endpoint?: string
  /** The ID of this service at the issuer. */
  readonly clientId: string
  /** Its secret. Absent: the service sends its ID alone. */
  readonly clientSecret?: string
}

/** Asks the issuer about a token: the claims of one that is active, else `undefined`. Rejects with an `IssuerError` if the issuer does not answer as it must. */
export type Introspect = (token: string) => Promise<JsonObject | undefined>

/** Milliseconds in which an answer about a token that is active counts; never longer than the token. */
const ACTIVE_MS = 30_000
/** Milliseconds in which the answer that a token is not active counts. It may become known to the issuer a moment later. */
const INACTIVE_MS = 2000
/** The answers that are kept. */
const MAX_KEPT = 10_000
/** The requests to the issuer at a time: anybody can send tokens that nobody has given. */
const MAX_ASKING = 64
/** Milliseconds after which the metadata is read again. */
const METADATA_MS = 10 * 60 * 1000

interface Kept {
  claims: JsonObject | undefined
  until: number
}

/** Creates the questions of a service to its issuer. */
export function createIntrospection(
  issuer: string,
  {
    endpoint,
    clientId,
    clientSecret,
    allowHosts = [],
    now = Date.now,
  }: IntrospectionOptions & { allowHosts?: readonly string[]; now?: () => number },
): Introspect {
  const own = endpoint === undefined ? [] : [new URL(endpoint).host]
  const { fetch } = createGuardedFetch({
    server: new URL(issuer),
    allowHosts: [...allowHosts, ...own],
  })
  /** By the hash of the token. The oldest come first. */
  const kept = new Map<string, Kept>()
  const asking = new Map<string, Promise<JsonObject | undefined>>()
  let metadata: { value: Promise<JsonObject>; at: number } | undefined

  async function readMetadata(): Promise<JsonObject> {
    if (!metadata || now() - metadata.at >= METADATA_MS) {
      const value = findMetadata(issuer, fetch)
      metadata = { value, at: now() }
      value.catch(() => (metadata = undefined))
    }
    return await metadata.value
  }

  async function ask(token: string): Promise<JsonObject | undefined> {
    const named: JsonObject =
      endpoint === undefined ? await readMetadata() : { introspection_endpoint: endpoint }
    const address = named['introspection_endpoint']
    const methods = named['introspection_endpoint_auth_methods_supported']
    if (typeof address !== 'string')
      throw new IssuerError(`the metadata of ${issuer} names no "introspection_endpoint"`)
    const isPost =
      Array.isArray(methods) &&
      !methods.includes('client_secret_basic') &&
      methods.includes('client_secret_post')
    const isBasic = clientSecret !== undefined && !isPost
    const body = new URLSearchParams({
      token,
      token_type_hint: 'access_token',
      ...(!isBasic && { client_id: clientId }),
      ...(clientSecret !== undefined && isPost && { client_secret: clientSecret }),
    })
    return await send(
      address,
      body,
      isBasic ? { authorization: toBasic(clientId, clientSecret) } : {},
    )
  }

  async function send(
    address: string,
    body: URLSearchParams,
    headers: Record<string, string>,
  ): Promise<JsonObject | undefined> {
    const response = await fetch(address, {
      method: 'POST',
      headers: {
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
        ...headers,
      },
      body: body.toString(),
    })
    if (response.status !== 200) throw new IssuerError(`${address} answers with ${response.status}`)
    const answer: unknown = await response.json().catch(() => undefined)
    if (!isJsonObject(answer) || typeof answer['active'] !== 'boolean')
      throw new IssuerError(`${address} does not say whether the token is active`)
    return answer['active'] ? answer : undefined
  }

  function keep(key: string, claims: JsonObject | undefined): void {
    const { exp } = claims ?? {}
    const most = now() + (claims ? ACTIVE_MS : INACTIVE_MS)
    kept.delete(key)
    kept.set(key, { claims, until: typeof exp === 'number' ? Math.min(most, exp * 1000) : most })
    for (const oldest of kept.keys()) {
      if (kept.size <= MAX_KEPT) break
      kept.delete(oldest)
    }
  }

  return async (token) => {
    // A token in memory is one that can be stolen.
    const key = createHash('sha256').update(token).digest('base64url')
    const known = kept.get(key)
    if (known && now() < known.until) return known.claims
    const running = asking.get(key)
    if (running) return await running
    if (asking.size >= MAX_ASKING)
      throw new IssuerError(`${issuer} has too many questions to answer`)
    const answering = ask(token).finally(() => asking.delete(key))
    asking.set(key, answering)
    const claims = await answering
    keep(key, claims)
    return claims
  }
}

/** RFC 6749, 2.3.1: both are encoded as in a form. */
function toBasic(id: string, secret: string): string {
  return `Basic ${Buffer.from(`${encodeForm(id)}:${encodeForm(secret)}`).toString('base64')}`
}

function encodeForm(text: string): string {
  return new URLSearchParams({ x: text }).toString().slice(2)
}
