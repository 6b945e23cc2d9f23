import type { RegisteredClient } from './credential.ts'
import type { Sdk } from './load-sdk.ts'
import { toClientInformation } from './register-client.ts'

/** Adds how a client says who it is to a request to an authorization server: in one way only. */
export type AuthenticateClient = (headers: Headers, body: URLSearchParams) => void

/**
 * Creates what adds the ID and the secret of a client to requests. Of the methods that the authorization server supports, the best is used; if it names
 * none, that of the registration. The SDK's own function writes the ID and the secret as they are, and fails if they have other characters than Latin 1.
 */
export function createClientAuthentication(
  sdk: Sdk,
  client: RegisteredClient,
  supported: readonly string[] = [],
): AuthenticateClient {
  const { id, secret = '' } = client
  const method = sdk.selectClientAuthMethod(toClientInformation(client), [...supported])
  return (headers, body) => {
    if (method === 'client_secret_basic') {
      // Both parts are written as in a form (RFC 6749, 2.3.1), so that the first colon separates them.
      const pair = [id, secret].map((text) => new URLSearchParams({ '': text }).toString().slice(1))
      headers.set('authorization', `Basic ${Buffer.from(pair.join(':')).toString('base64')}`)
      return
    }
    body.set('client_id', id)
    if (method === 'client_secret_post') body.set('client_secret', secret)
  }
}
