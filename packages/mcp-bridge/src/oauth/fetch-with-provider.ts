import type { OAuthClientProvider } from '@modelcontextprotocol/client'
import { fetchAnswer } from '../wire/fetch-answer.ts'
import { AuthorizationError, type HttpFetch } from '../wire/http-fetch.ts'
import { createGuardedFetch } from './guarded-fetch.ts'
import { loadSdk } from './load-sdk.ts'

/**
 * Creates a `fetch` for `connectServer` that logs in with a provider of MCP's SDK, for programs without a person: client credentials, a signed
 * JWT, the identity of an enterprise, or tokens bound to a key (DPoP). A person's login is that of `createOAuth`.
 */
export function fetchWithProvider(
  provider: OAuthClientProvider,
  {
    url,
    allowHosts = [],
  }: {
    /** The URL of the MCP server. */
    readonly url: string
    /** Hosts that the server's metadata may name although their address is inside a network. */
    readonly allowHosts?: readonly string[]
  },
): HttpFetch {
  const server = new URL(url)
  const guarded = createGuardedFetch({ server, allowHosts })
  return async (address, init) => {
    const { withOAuth, UnauthorizedError } = await loadSdk()
    const send = withOAuth(
      provider,
      server,
    )(async (to, given) =>
      // The SDK sends its own requests about authorization through the same function.
      String(to) === address.href ? await fetchAnswer(to, given) : await guarded.fetch(to, given),
    )
    try {
      return await send(address, init)
    } catch (error) {
      if (!(error instanceof UnauthorizedError)) throw error
      throw new AuthorizationError('the authorization server issued no token', {
        fix: 'Check the credentials of the program.',
        cause: error,
      })
    }
  }
}
