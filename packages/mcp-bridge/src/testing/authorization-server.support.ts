import { hash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSuccessResult } from '@toolblocks/protocol'
import { Provider, type Configuration } from 'oidc-provider'
import { serveHttp } from '../serve-http.ts'

/** Answers a request in place of the server; returns whether it did. */
export type Intercept = (request: IncomingMessage, response: ServerResponse) => boolean

/** An authorization server on loopback that grants access to everybody who comes. */
export interface AuthorizationServer {
  readonly issuer: string
  readonly provider: Provider
  /** The grants so far: `authorization_code`, `refresh_token`, or with the error after a colon. */
  readonly grants: readonly string[]
  /** Of the next tokens. */
  readonly lifetimes: { accessTokenSeconds: number }
  /** Replaces answers of the authorization server. */
  intercept: Intercept | undefined
  close(): Promise<void>
}

/** An MCP server on loopback that requires tokens of an authorization server. */
export interface ProtectedServer {
  readonly url: string
  /** Replaces answers of the server. */
  intercept: Intercept | undefined
  /** The metadata of the protected resource. */
  metadata: Record<string, unknown>
  /** The scope that calls of tools require. */
  callScope: string
  /** The tokens that requests have sent. */
  readonly tokens: readonly string[]
  close(): Promise<void>
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function stop(server: Server): Promise<void> {
  server.close()
  server.closeAllConnections()
  if (server.listening) await once(server, 'close')
}

/** Access tokens for the resource that a client names (RFC 8707). */
export function createResourceIndicators(
  accessTokenFormat: 'jwt' | 'opaque',
): NonNullable<NonNullable<Configuration['features']>['resourceIndicators']> {
  return {
    enabled: true,
    useGrantedResource: () => true,
    getResourceServerInfo: (_ctx, resource) => ({
      scope: 'mcp:read mcp:write offline_access',
      audience: resource,
      accessTokenFormat,
    }),
  }
}

/** `configure` returns settings of the provider for its issuer. */
export async function startAuthorizationServer(
  configure: (issuer: string) => Configuration = () => ({}),
): Promise<AuthorizationServer> {
  const http = createServer()
  const issuer = await listen(http)
  const grants: string[] = []
  // Read by the provider only when it issues tokens.
  const lifetimes = { accessTokenSeconds: 3600 }
  const provider = new Provider(issuer, {
    scopes: ['openid', 'offline_access', 'mcp:read', 'mcp:write'],
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: true },
      revocation: { enabled: true },
      resourceIndicators: createResourceIndicators('opaque'),
    },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: (_ctx, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    rotateRefreshToken: true,
    ttl: {
      AccessToken: () => lifetimes.accessTokenSeconds,
      RefreshToken: 3600,
      Interaction: 600,
      Session: 600,
      Grant: 3600,
    },
    cookies: { keys: ['a key of the tests'] },
    ...configure(issuer),
  })
  provider.on('grant.success', (ctx) => grants.push(String(ctx.oidc.params?.['grant_type'])))
  provider.on('grant.error', (ctx, error) =>
    grants.push(`${String(ctx.oidc.params?.['grant_type'])}: ${error.error}`),
  )
  const own = provider.callback()
  const server: AuthorizationServer = {
    issuer,
    provider,
    grants,
    lifetimes,
    intercept: undefined,
    close: async () => await stop(http),
  }
  http.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (server.intercept?.(request, response)) return
    if (request.url?.startsWith('/interaction/')) void agree(provider, request, response)
    else void own(request, response)
  })
  return server
}

/** Returns the account of a browser: that of its cookie `account`. */
function readAccount({ headers: { cookie = '' } }: IncomingMessage): string {
  return /(?:^|; )account=(\w+)/.exec(cookie)?.[1] ?? 'ada'
}

/** Logs in as a person and agrees to everything. */
async function agree(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { prompt, params, session } = await provider.interactionDetails(request, response)
  if (prompt.name === 'login') {
    await provider.interactionFinished(request, response, {
      login: { accountId: readAccount(request) },
    })
    return
  }
  const grant = new provider.Grant({
    accountId: session?.accountId ?? '',
    clientId: String(params['client_id']),
  })
  const scope = typeof params['scope'] === 'string' ? params['scope'] : ''
  grant.addOIDCScope(scope)
  grant.addResourceScope(String(params['resource']), scope)
  const consent = { grantId: await grant.save() }
  await provider.interactionFinished(
    request,
    response,
    { consent },
    { mergeWithLastSubmission: true },
  )
}

/** Finds the tokens that the authorization server has issued. */
interface IssuedTokens {
  find(token: string): Promise<
    | {
        readonly isExpired: boolean
        readonly accountId?: string | undefined
        readonly aud?: string | string[] | undefined
        readonly scope?: string | undefined
      }
    | undefined
  >
}

/** Starts an MCP server with the tool `greet`, whose requests need a token for `mcp:read`. */
export async function startProtectedServer({
  issuer,
  provider,
}: {
  issuer: string
  provider: { AccessToken: IssuedTokens }
}): Promise<ProtectedServer> {
  const behind = await serveHttp(
    {
      name: 'greeter',
      version: '1',
      root: '/',
      definitions: () => [{ name: 'greet', inputSchema: { type: 'object' } }],
      callTool: async (_call, _context, { identified }) =>
        createSuccessResult([{ type: 'text', text: `Hello ${identified?.name ?? ''}` }]),
    },
    {
      port: 0,
      authenticate: async ({ authorization = '' }) => ({
        ok: true,
        identity: { id: authorization, name: authorization, groups: [], scopes: [] },
      }),
    },
  )
  const http = createServer()
  const origin = await listen(http)
  const tokens: string[] = []
  const server: ProtectedServer = {
    url: `${origin}/mcp`,
    intercept: undefined,
    metadata: {
      resource: `${origin}/mcp`,
      authorization_servers: [issuer],
      scopes_supported: ['mcp:read'],
    },
    callScope: 'mcp:read',
    tokens,
    close: async () => {
      await stop(http)
      await behind.close({ graceMs: 0 })
    },
  }
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (server.intercept?.(request, response)) return
    if (request.url === '/.well-known/oauth-protected-resource/mcp')
      return void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify(server.metadata))
    if (request.url !== '/mcp') return void response.writeHead(404).end()
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const [, accessToken = ''] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? []
    if (accessToken !== '') tokens.push(accessToken)
    const token = accessToken === '' ? undefined : await provider.AccessToken.find(accessToken)
    const metadata = `resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`
    const challenge = (status: number, parameters: string): void =>
      void response
        .writeHead(status, { 'www-authenticate': `Bearer ${metadata}${parameters}` })
        .end()
    if (!token || token.isExpired || !token.aud?.includes(server.url)) return challenge(401, '')
    const isCall = body.includes('"tools/call"')
    if (isCall && !token.scope?.split(' ').includes(server.callScope))
      return challenge(403, `, error="insufficient_scope", scope="${server.callScope}"`)
    const {
      host: _host,
      connection: _connection,
      'content-length': _length,
      ...headers
    } = request.headers
    const passed = await fetch(behind.url, {
      method: request.method ?? 'GET',
      headers: {
        ...(headers as Record<string, string>),
        authorization: token.accountId === 'ada' ? 'Ada' : (token.accountId ?? ''),
      },
      ...(body.byteLength > 0 && { body }),
    })
    response.writeHead(passed.status, Object.fromEntries(passed.headers))
    for await (const chunk of passed.body ?? []) response.write(chunk)
    response.end()
  }
  http.on('request', (request: IncomingMessage, response: ServerResponse) => {
    answer(request, response).catch(() => response.destroy())
  })
  return server
}

/** The path of the redirect address for an authorization server. */
export const redirectPath = (issuer: string): string =>
  `/callback/${hash('sha256', issuer).slice(0, 16)}`

/** Whether an address is one to which an authorization server sends the browser back. */
export const isRedirect = ({ pathname }: URL): boolean => pathname.startsWith('/callback')

/**
 * Opens an address as a browser does, with cookies, and follows redirects until one leads to `redirect`, which is returned and not opened. Returns
 * the last address otherwise.
 */
export async function browse(address: URL | string, isEnd: (url: URL) => boolean): Promise<URL> {
  const cookies = new Map<string, string>()
  let url = new URL(address)
  for (let hops = 0; hops < 20 && !isEnd(url); hops += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } })
    await response.body?.cancel()
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (location === null) return url
    url = new URL(location, url)
  }
  return url
}
