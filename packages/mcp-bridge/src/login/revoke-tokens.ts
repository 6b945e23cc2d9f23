import { createClientAuthentication } from './authenticate-client.ts'
import type { Credential } from './credential.ts'
import type { Discovered } from './discover.ts'
import type { GuardedFetch } from './guarded-fetch.ts'
import { loadSdk, type Sdk } from './load-sdk.ts'

/** Asks the issuer of a login to accept its tokens no more (RFC 7009). Returns whether it has confirmed that. Never rejects. */
export async function revokeTokens(
  { issuer, client, refreshToken, accessToken }: Credential,
  { find, fetch }: { find: (sdk: Sdk) => Promise<Discovered>; fetch: GuardedFetch['fetch'] },
): Promise<boolean> {
  try {
    const sdk = await loadSdk()
    const { metadata, issuer: discoveredIssuer } = await find(sdk)
    if (!metadata || !('revocation_endpoint' in metadata) || discoveredIssuer !== issuer)
      return false
    const {
      revocation_endpoint: endpoint,
      token_endpoint_auth_methods_supported: supported,
      revocation_endpoint_auth_methods_supported: own = supported,
    } = metadata
    if (endpoint === undefined) return false
    const body = new URLSearchParams({
      token: refreshToken ?? accessToken,
      token_type_hint: refreshToken === undefined ? 'access_token' : 'refresh_token',
    })
    const headers = new Headers({ 'content-type': 'application/x-www-form-urlencoded' })
    createClientAuthentication(sdk, client, own)(headers, body)
    const response = await fetch(endpoint, { method: 'POST', headers, body })
    return response.ok
  } catch {
    return false
  }
}
