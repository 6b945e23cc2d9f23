import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'

/** A key with which an issuer signs. */
export interface SigningKey {
  readonly kid: string
  readonly alg: string
  readonly privateKey: CryptoKey
  readonly publicKey: CryptoKey
}

/** An issuer of access tokens on loopback. A change counts from the next request on. */
export interface Issuer {
  readonly address: string
  /** Its page at `/.well-known/`. */
  metadata: Record<string, unknown>
  /** The keys that it publishes. */
  keys: readonly SigningKey[]
  /** Whether every request fails with 500. */
  isAway: boolean
  /** How it answers questions about tokens (RFC 7662). */
  introspection: { status: number; answer: (token: string) => unknown }
  /** The questions about tokens so far. */
  readonly introspected: readonly { authorization: string | undefined; body: string }[]
  countKeyRequests(): number
  /** Creates an access token that is signed with the first key and valid for ten minutes. */
  issue(claims: JWTPayload): Promise<string>
  close(): void
}

export async function createSigningKey(kid: string, alg = 'ES256'): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  return { kid, alg, privateKey, publicKey }
}

/** Signs exactly these claims as an access token. */
export async function signToken(
  { kid, alg, privateKey }: SigningKey,
  claims: JWTPayload,
  header: Record<string, unknown> = {},
): Promise<string> {
  return await new SignJWT(claims)
    .setProtectedHeader({ alg, kid, typ: 'at+jwt', ...header })
    .sign(privateKey)
}

/** Starts an issuer with one key. Its metadata is that of OpenID Connect or of OAuth, and names where it answers questions about tokens. */
export async function startIssuer(
  metadataName: 'openid-configuration' | 'oauth-authorization-server' = 'openid-configuration',
): Promise<Issuer> {
  const key = await createSigningKey('first')
  const introspected: { authorization: string | undefined; body: string }[] = []
  let keyRequests = 0
  const read = async (request: IncomingMessage): Promise<{ status: number; value: unknown }> => {
    const { url, headers } = request
    if (issuer.isAway) return { status: 500, value: {} }
    if (url === `/.well-known/${metadataName}`) return { status: 200, value: issuer.metadata }
    if (url === '/keys') {
      keyRequests += 1
      const keys = issuer.keys.map(async ({ kid, publicKey }) => ({
        ...(await exportJWK(publicKey)),
        kid,
      }))
      return { status: 200, value: { keys: await Promise.all(keys) } }
    }
    if (url !== '/introspect') return { status: 404, value: {} }
    const body = await text(request)
    introspected.push({ authorization: headers.authorization, body })
    const { status, answer } = issuer.introspection
    return { status, value: answer(new URLSearchParams(body).get('token') ?? '') }
  }
  const server = createServer((request, response) => {
    void read(request).then(({ status, value }) => {
      response.statusCode = status
      response.end(JSON.stringify(value))
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const issuer: Issuer = {
    address,
    metadata: {
      issuer: address,
      jwks_uri: `${address}/keys`,
      introspection_endpoint: `${address}/introspect`,
    },
    keys: [key],
    isAway: false,
    introspection: { status: 200, answer: () => ({ active: false }) },
    introspected,
    countKeyRequests: () => keyRequests,
    issue: async (claims) => {
      const now = Math.floor(Date.now() / 1000)
      return await signToken(key, { iss: address, iat: now, exp: now + 600, ...claims })
    },
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
  return issuer
}
