// The client that MCP's conformance suite starts for scenarios about authorization: node auth-client.ts URL. The scenario is in the environment.
import {
  auth,
  ClientCredentialsProvider,
  CrossAppAccessProvider,
  requestJwtAuthorizationGrant,
  DpopSession,
  type OAuthClientProvider,
  PrivateKeyJwtProvider,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client'
import { connectServer, type HttpFetch } from '@toolblocks/mcp-bridge'
import {
  createOAuth,
  fetchWithProvider,
  keepInMemory,
  listenForRedirect,
  type LoginOptions,
} from '@toolblocks/mcp-bridge/oauth'
import { isJsonObject } from '@toolblocks/protocol'

const url = process.argv.at(-1) ?? ''
const scenario = process.env['MCP_CONFORMANCE_SCENARIO'] ?? ''
const version = process.env['MCP_CONFORMANCE_PROTOCOL_VERSION'] ?? ''
const context: unknown = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}')

/** Returns a text of the context that the scenario gives. */
function text(name: string): string {
  const value = isJsonObject(context) ? context[name] : undefined
  if (typeof value !== 'string') throw new Error(`the context of the scenario has no ${name}`)
  return value
}

/** A browser that agrees to everything: it follows the redirects to the listener. */
const openPage: LoginOptions['openPage'] = async (wanted) =>
  await listenForRedirect({
    ...wanted,
    show: async (address) => {
      await (await fetch(address)).text()
      return undefined
    },
  })

function logInAsPerson(): HttpFetch {
  const isRegistered = scenario === 'auth/pre-registration'
  const client = isRegistered ? { id: text('client_id'), secret: text('client_secret') } : {}
  const metadataUrl = 'https://conformance-test.local/client-metadata.json'
  return createOAuth({
    url,
    credentials: keepInMemory(),
    client: scenario === 'auth/basic-cimd' ? { metadataUrl } : client,
    openPage,
  }).fetch
}

/** Logs in with tokens that are bound to a key (DPoP), as a person. */
async function logInWithKey(): Promise<HttpFetch> {
  const session = await DpopSession.create()
  const kept: {
    client?: StoredOAuthClientInformation
    tokens?: StoredOAuthTokens
    verifier?: string
    answer?: string
  } = {}
  let discovered: Awaited<ReturnType<NonNullable<OAuthClientProvider['discoveryState']>>>
  const redirectUrl = 'http://127.0.0.1:1/callback'
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: {
      client_name: 'Toolblocks',
      redirect_uris: [redirectUrl],
      token_endpoint_auth_method: 'none',
    },
    dpop: () => session,
    clientInformation: () => kept.client,
    saveClientInformation: (client) => void (kept.client = client),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void (kept.tokens = tokens),
    saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier ?? '',
    saveDiscoveryState: (state) => void (discovered = state),
    discoveryState: () => discovered,
    redirectToAuthorization: async (address) => {
      const response = await fetch(address, { redirect: 'manual' })
      kept.answer = response.headers.get('location') ?? ''
    },
  }
  await auth(provider, { serverUrl: url })
  const { searchParams } = new URL(kept.answer ?? '')
  const iss = searchParams.get('iss')
  await auth(provider, {
    serverUrl: url,
    authorizationCode: searchParams.get('code') ?? '',
    ...(iss !== null && { iss }),
  })
  return fetchWithProvider(provider, { url })
}

/** Logs in with a token of another party. */
function logInWithAssertion(): HttpFetch {
  let tokens: StoredOAuthTokens | undefined
  const provider: OAuthClientProvider = {
    redirectUrl: undefined,
    clientMetadata: { redirect_uris: [], token_endpoint_auth_method: 'none' },
    clientInformation: () => ({ client_id: text('client_id') }),
    saveClientInformation: () => {},
    tokens: () => tokens,
    saveTokens: (made) => void (tokens = made),
    saveCodeVerifier: () => {},
    codeVerifier: () => '',
    redirectToAuthorization: () => {},
    prepareTokenRequest: () =>
      new URLSearchParams({
        grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
        assertion: text('valid_jwt'),
      }),
  }
  return fetchWithProvider(provider, { url })
}

async function logIn(): Promise<HttpFetch> {
  switch (scenario) {
    case 'auth/client-credentials-jwt': {
      const key = { privateKey: text('private_key_pem'), algorithm: text('signing_algorithm') }
      const provider = new PrivateKeyJwtProvider({ clientId: text('client_id'), ...key })
      return fetchWithProvider(provider, { url })
    }
    case 'auth/client-credentials-basic': {
      const client = { clientId: text('client_id'), clientSecret: text('client_secret') }
      return fetchWithProvider(new ClientCredentialsProvider(client), { url })
    }
    case 'auth/cross-app-access-complete-flow':
    case 'auth/enterprise-managed-authorization': {
      const provider = new CrossAppAccessProvider({
        clientId: text('client_id'),
        clientSecret: text('client_secret'),
        assertion: async ({ authorizationServerUrl, resourceUrl, scope, fetchFn }) => {
          const { jwtAuthGrant } = await requestJwtAuthorizationGrant({
            tokenEndpoint: text('idp_token_endpoint'),
            audience: authorizationServerUrl,
            resource: resourceUrl,
            idToken: text('idp_id_token'),
            clientId: text('idp_client_id'),
            ...(scope !== undefined && { scope }),
            fetchFn,
          })
          return jwtAuthGrant
        },
      })
      return fetchWithProvider(provider, { url })
    }
    case 'auth/dpop':
    case 'auth/dpop-nonce':
      return await logInWithKey()
    case 'auth/wif-jwt-bearer':
      return logInWithAssertion()
    default:
      return logInAsPerson()
  }
}

const server = await connectServer(
  {
    name: 'conformance',
    transport: { kind: 'http', url },
    protocolVersion: version >= '2026-07-28' ? '2026-07-28' : '2025-11-25',
  },
  {},
  { fetch: await logIn() },
)
for (const tool of server.tools()) {
  const result = await tool.execute(
    { id: 'call-1', name: tool.name, arguments: {} },
    { signal: AbortSignal.timeout(20_000), root: process.cwd(), answers: {} },
  )
  process.stdout.write(`${tool.name}: ${JSON.stringify(result)}\n`)
}
await server.close()
