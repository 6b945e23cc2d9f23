import type { Socket } from 'node:net'
import type { OAuthOptions } from '../login/create-oauth.ts'
import type { LoginOptions } from '../login/perform-login.ts'
import { type CredentialStore, keepInMemory } from '../login/credential.ts'
import { answerMcp } from './raw-mcp.support.ts'
import { rawAnswer, type RawServer, startRawServer } from './raw-server.support.ts'

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
  /** Replaces the answer to one request: one of `LOGIN_REQUESTS`, or a method of MCP with a token. */
  replace: { request: string; answer: (socket: Socket, body: string) => void } | undefined
  /** Methods of MCP that the server refuses although the request has a token. */
  refused: readonly string[]
  /** Fields of the next answer with tokens. */
  tokens: Record<string, unknown>
  /** Fields of the metadata of the issuer. */
  metadata: Record<string, unknown>
  /** Fields of the metadata of the resource. */
  resource: Record<string, unknown>
  /** Fields of the registration. */
  registration: Record<string, unknown>
  /** The requests so far, as they were sent. */
  readonly requests: { readonly path: string; readonly head: string; readonly body: string }[]
  /** The bodies of the requests for tokens. */
  readonly tokenRequests: string[]
}

export async function startRawLogin(): Promise<RawLogin> {
  const server = await startRawServer((socket, request) => {
    const { path, body, head } = request
    login.requests.push(request)
    const isCall = path === '/mcp' && /\r\nauthorization:/i.test(head)
    const called = isCall ? answerMcp(head, body) : answerLogin(path, body, login)
    const { method, answer } =
      isCall && login.refused.includes(called.method) ? answerLogin(path, body, login) : called
    if (method === 'code' || method === 'refresh') login.tokenRequests.push(body)
    if (login.replace?.request === method) login.replace.answer(socket, body)
    else socket.end(answer)
  })
  const credentials = keepInMemory()
  const login: RawLogin = {
    server,
    options: { url: `${server.origin}/mcp`, credentials },
    replace: undefined,
    refused: [],
    tokens: {},
    metadata: {},
    resource: {},
    registration: {},
    requests: [],
    tokenRequests: [],
  }
  return login
}

function answerLogin(
  path: string,
  body: string,
  { server: { origin }, tokens, metadata, resource, registration, tokenRequests }: RawLogin,
): { method: LoginRequest | 'unknown'; answer: string } {
  const json = (value: unknown, status = 200): string => rawAnswer(status, JSON.stringify(value))
  const resourcePath = '/.well-known/oauth-protected-resource/mcp'
  switch (path) {
    case '/mcp':
      return {
        method: 'challenge',
        answer: rawAnswer(401, '', {
          'www-authenticate': `Bearer resource_metadata="${origin}${resourcePath}"`,
        }),
      }
    case resourcePath:
      return {
        method: 'resource metadata',
        answer: json({
          resource: `${origin}/mcp`,
          authorization_servers: [origin],
          ...resource,
        }),
      }
    case '/.well-known/oauth-authorization-server':
      return {
        method: 'issuer metadata',
        answer: json({
          issuer: origin,
          authorization_endpoint: `${origin}/authorize`,
          token_endpoint: `${origin}/token`,
          registration_endpoint: `${origin}/register`,
          revocation_endpoint: `${origin}/revoke`,
          response_types_supported: ['code'],
          code_challenge_methods_supported: ['S256'],
          token_endpoint_auth_methods_supported: ['none'],
          ...metadata,
        }),
      }
    case '/register':
      return {
        method: 'registration',
        answer: json(
          {
            client_id: 'registered',
            redirect_uris: ['http://127.0.0.1/callback'],
            ...registration,
          },
          201,
        ),
      }
    case '/token':
      return {
        method: body.includes('grant_type=refresh_token') ? 'refresh' : 'code',
        answer: json({
          // A token that was refused once is not used again.
          access_token: `the-access-token-${tokenRequests.length}`,
          refresh_token: 'the-refresh-token',
          token_type: 'Bearer',
          expires_in: 3600,
          ...tokens,
        }),
      }
    case '/revoke':
      return { method: 'revocation', answer: rawAnswer(200, '') }
  }
  return { method: 'unknown', answer: rawAnswer(404, '') }
}

/** A browser whose person agrees, without a request: the answer is the address of the redirect. `more` are further parameters of it. */
export const agreeAtOnce =
  (more = ''): LoginOptions['openPage'] =>
  async ({ path }) => ({
    redirectUrl: `http://127.0.0.1:1${path}`,
    visit: async (address, { state }) =>
      `${address.searchParams.get('redirect_uri')}?code=the-code&state=${state}${more}`,
    close: async () => {},
  })
