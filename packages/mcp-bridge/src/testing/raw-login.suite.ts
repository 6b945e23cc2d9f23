import type { Socket } from 'node:net'
import type { LoginOptions, OAuthOptions } from '../oauth/create-oauth.ts'
import { type CredentialStore, keepInMemory } from '../oauth/credential.ts'
import { rawAnswer, type RawServer, startRawServer } from './raw-server.suite.ts'

/** The requests of a login and of the work with it, in their order. */
export const LOGIN_REQUESTS = [
  'challenge',
  'resource metadata',
  'issuer metadata',
  'registration',
  'code',
  'refresh',
  'revocation',
] as const
export type LoginRequest = (typeof LOGIN_REQUESTS)[number]

/** An MCP server and its authorization server, at one address, each of whose answers can be replaced by any bytes. */
export interface RawLogin {
  readonly server: RawServer
  readonly options: OAuthOptions & { readonly credentials: CredentialStore }
  /** Replaces the answer to one request. */
  replace: { request: LoginRequest; answer: (socket: Socket, body: string) => void } | undefined
  /** Fields of the next answer with tokens. */
  tokens: Record<string, unknown>
  /** Fields of the metadata of the issuer. */
  metadata: Record<string, unknown>
  /** The bodies of the requests for tokens. */
  readonly tokenRequests: string[]
}

export async function startRawLogin(): Promise<RawLogin> {
  const server = await startRawServer((socket, { path, body, head }) => {
    const request = getRequest(path, body, head)
    if (request === 'code' || request === 'refresh') login.tokenRequests.push(body)
    if (request !== undefined && login.replace?.request === request)
      return login.replace.answer(socket, body)
    socket.end(answer(request, login))
  })
  const credentials = keepInMemory()
  const login: RawLogin = {
    server,
    options: { url: `${server.origin}/mcp`, credentials },
    replace: undefined,
    tokens: {},
    metadata: {},
    tokenRequests: [],
  }
  return login
}

function getRequest(path: string, body: string, head: string): LoginRequest | undefined {
  switch (path) {
    case '/mcp':
      return /\r\nauthorization:/i.test(head) ? undefined : 'challenge'
    case '/.well-known/oauth-protected-resource/mcp':
      return 'resource metadata'
    case '/.well-known/oauth-authorization-server':
      return 'issuer metadata'
    case '/register':
      return 'registration'
    case '/token':
      return body.includes('grant_type=refresh_token') ? 'refresh' : 'code'
    case '/revoke':
      return 'revocation'
  }
  return undefined
}

function answer(
  request: LoginRequest | undefined,
  { server: { origin }, tokens, metadata }: RawLogin,
): string {
  const json = (value: unknown, status = 200): string => rawAnswer(status, JSON.stringify(value))
  const { hostname, port } = new URL(origin)
  switch (request) {
    case 'challenge':
      return rawAnswer(401, '', {
        'www-authenticate': `Bearer resource_metadata="http://${hostname}:${port}/.well-known/oauth-protected-resource/mcp"`,
      })
    case 'resource metadata':
      return json({ resource: `${origin}/mcp`, authorization_servers: [origin] })
    case 'issuer metadata':
      return json({
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        revocation_endpoint: `${origin}/revoke`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
        ...metadata,
      })
    case 'registration':
      return json({ client_id: 'registered', redirect_uris: ['http://127.0.0.1/callback'] }, 201)
    case 'code':
    case 'refresh':
      return json({
        access_token: 'the-access-token',
        refresh_token: 'the-refresh-token',
        token_type: 'Bearer',
        expires_in: 3600,
        ...tokens,
      })
    case 'revocation':
      return rawAnswer(200, '')
    case undefined:
      return json({ jsonrpc: '2.0', id: 1, result: {} })
  }
}

/** A browser whose person agrees, without a request: the answer is the address of the redirect. `more` are further parameters of it. */
export const agreeAtOnce =
  (more = ''): LoginOptions['openPage'] =>
  async () => ({
    redirectUrl: 'http://127.0.0.1:1/callback',
    visit: async (address, { state }) =>
      `${address.searchParams.get('redirect_uri')}?code=the-code&state=${state}${more}`,
    close: async () => {},
  })
