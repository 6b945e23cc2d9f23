import { createHash, timingSafeEqual } from 'node:crypto'
import { requireArguments } from '@toolblocks/protocol/internal'
import { type Authenticate, type ClientIdentity, readBearer } from './client-identity.ts'

/** A token of a client, without the token itself. */
export interface HashedToken {
  /** The result of `hashToken`. */
  readonly hash: string
  /** Milliseconds since 1970, from which it is refused. Absent: it does not expire. */
  readonly expires?: number
}

/** A client, and the tokens that prove it. Several are valid at the same time, so that a client can change from one to the next. */
export interface TokenClient {
  readonly name: string
  /** The groups of its identity. Default: none. */
  readonly groups?: readonly string[]
  readonly tokens: readonly HashedToken[]
}

/** Returns the SHA-256 of a token, in hexadecimal digits. A token has at least 128 random bits, so its hash needs no salt. */
export function hashToken(token: string): string {
  requireArguments('hashToken(token)', [token, 'string'])
  return createHash('sha256').update(token).digest('hex')
}

/**
 * Creates the check of tokens that each client has. `getClients` is called for each request, so that a token which is added or removed counts at once.
 * The identity of a client is its name, whichever of its tokens it sends.
 */
export function authenticateByTokens(
  getClients: () => readonly TokenClient[] | Promise<readonly TokenClient[]>,
): Authenticate {
  requireArguments('authenticateByTokens(getClients)', [getClients, 'function'])
  return async ({ authorization }) => {
    const token = readBearer(authorization)
    const proved = token === undefined ? undefined : findToken(await getClients(), hashToken(token))
    if (proved === undefined)
      return {
        ok: false,
        status: 401,
        message:
          token === undefined
            ? 'Expected the header "Authorization: Bearer TOKEN" with a token of this client.'
            : 'The token is unknown, has expired or was revoked.',
        challenge: token === undefined ? 'Bearer' : 'Bearer error="invalid_token"',
      }
    return {
      ok: true,
      identity: identify(proved.client),
      ...(proved.expires < Infinity && { expires: proved.expires }),
    }
  }
}

/** Returns the identity of the client that has a token with this hash now; `undefined` if there is none any more. */
export function findClientOfToken(
  clients: readonly TokenClient[],
  hash: string,
): ClientIdentity | undefined {
  requireArguments('findClientOfToken(clients, hash)', [clients, 'array'], [hash, 'string'])
  const proved = findToken(clients, hash)
  return proved && identify(proved.client)
}

function identify({ name, groups = [] }: TokenClient): ClientIdentity {
  return { id: JSON.stringify(['client', name]), name, groups, scopes: [] }
}

/** Compares with every token, so that the time of an answer says nothing about tokens. */
function findToken(
  clients: readonly TokenClient[],
  hash: string,
): { client: TokenClient; expires: number } | undefined {
  const received = Buffer.from(hash)
  let proved: { client: TokenClient; expires: number } | undefined
  for (const each of clients)
    for (const { hash: other, expires = Infinity } of each.tokens) {
      const known = Buffer.from(other)
      const isSame = known.length === received.length && timingSafeEqual(known, received)
      if (isSame && Date.now() < expires) proved ??= { client: each, expires }
    }
  return proved
}
