import { requireArguments } from '@toolblocks/protocol/internal'
import type { OAuthClientProvider } from '@modelcontextprotocol/client'
import { fetchAnswer } from '../wire/fetch-answer.ts'
import { AuthorizationError, type HttpFetch } from '../wire/http-fetch.ts'
import { createClientAuthentication } from './authenticate-client.ts'
import { createGuardedFetch } from './guarded-fetch.ts'
import { loadSdk, type Sdk } from './load-sdk.ts'

/**
 * Creates a `fetch` for `connectServer` that logs in with a provider of MCP's SDK, for programs without a person: client credentials, a signed
 * JWT, the identity of an enterprise, or tokens bound to a key (DPoP). A person's login is that of `createOAuth`.
 */
export function fetchWithProvider(
  provider: OAuthClientProvider,
  options: {
    /** The URL of the MCP server. */
    readonly url: string
    /** Hosts that the server's metadata may name although their address is inside a network. */
    readonly allowHosts?: readonly string[]
  },
): HttpFetch {
  requireArguments(
    'fetchWithProvider(provider, options)',
    [provider, 'object'],
    [options, { url: 'string' }],
  )
  const { url, allowHosts = [] } = options
  const server = new URL(url)
  const guarded = createGuardedFetch({ server, allowHosts })
  return async (address, init) => {
    const sdk = await loadSdk()
    const { withOAuth, UnauthorizedError } = sdk
    const send = withOAuth(
      authenticating(provider, sdk),
      server,
    )(async (to, requestInit) =>
      // The SDK sends its own requests about authorization through the same function.
      String(to) === address.href
        ? await fetchAnswer(to, requestInit)
        : await guarded.fetch(to, requestInit),
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

/** Returns the provider, which says who the program is as RFC 6749 requires it, unless it has its own way. */
function authenticating(provider: OAuthClientProvider, sdk: Sdk): OAuthClientProvider {
  if (provider.addClientAuthentication) return provider
  const addClientAuthentication: OAuthClientProvider['addClientAuthentication'] = async (
    headers,
    body,
    _url,
    metadata,
  ) => {
    const client = await provider.clientInformation()
    if (!client) return
    const { client_id: id, client_secret: secret } = client
    const method =
      'token_endpoint_auth_method' in client ? client.token_endpoint_auth_method : undefined
    const known = {
      id,
      ...(secret !== undefined && { secret }),
      ...(method !== undefined && { method }),
    }
    createClientAuthentication(
      sdk,
      known,
      metadata?.token_endpoint_auth_methods_supported,
    )(headers, body)
  }
  // Methods run on the provider itself: a copy would lack its private fields.
  return new Proxy(provider, {
    get: (target, key) => {
      if (key === 'addClientAuthentication') return addClientAuthentication
      const value: unknown = Reflect.get(target, key, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
