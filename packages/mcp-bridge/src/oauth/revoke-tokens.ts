import type { Credential } from './credential.ts'
import type { Discovered } from './discover.ts'
import type { GuardedFetch } from './guarded-fetch.ts'

/** Asks the issuer of a login to accept its tokens no more (RFC 7009). Returns whether it has confirmed that. Never rejects. */
export async function revokeTokens(
  { issuer, client: { id, secret, method }, refreshToken, accessToken }: Credential,
  find: () => Promise<Discovered>,
  fetch: GuardedFetch['fetch'],
): Promise<boolean> {
  try {
    const { metadata, issuer: found } = await find()
    const endpoint =
      metadata && 'revocation_endpoint' in metadata ? metadata.revocation_endpoint : undefined
    if (endpoint === undefined || found !== issuer) return false
    const body = new URLSearchParams({
      token: refreshToken ?? accessToken,
      token_type_hint: refreshToken === undefined ? 'access_token' : 'refresh_token',
    })
    const headers = new Headers({ 'content-type': 'application/x-www-form-urlencoded' })
    if (secret !== undefined && method !== 'client_secret_post')
      headers.set('authorization', `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`)
    else {
      body.set('client_id', id)
      if (secret !== undefined) body.set('client_secret', secret)
    }
    const response = await fetch(endpoint, { method: 'POST', headers, body })
    return response.ok
  } catch {
    return false
  }
}
