import { requireArguments } from '@toolblocks/protocol/internal'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { Discovered } from './discover.ts'
import type { OAuthClientSettings } from './register-client.ts'

/** The redirect address that a login needs. */
export interface WantedRedirect {
  /** The end of its path. Each authorization server has its own, so that the answer of one does not reach another (RFC 9700, 4.4). */
  readonly path: string
  /** The port to use if it is free; absent: any. */
  readonly port?: number
  /** Whether no other port can be used. */
  readonly isRequired?: boolean
}

/** What a person logs in to, to be named before the page is opened. */
export interface LoginParties {
  /** The URL of the MCP server. */
  readonly server: URL
  /** The issuer identifier of the authorization server. The page may be one of another origin. */
  readonly issuer: string
}

/** Where the browser of a person goes, and what it comes back with. */
export interface RedirectPage {
  /** The address to which the authorization server sends the browser afterwards. */
  readonly redirectUrl: string
  /**
   * Shows a person the address at which access is granted. Returns the address to which the browser was sent with the answer, or a code that the
   * person typed.
   */
  visit(
    address: URL,
    login: LoginParties & { readonly state: string; readonly signal: AbortSignal },
  ): Promise<string>
  /** Stops listening. Called when the visit is over. */
  close(): Promise<void>
}

const PATH = '/callback'

/**
 * Returns the path of the redirect address for an authorization server. A client ID metadata document has the same addresses for all of them; there the
 * common path is used if the authorization server says in each answer who it is (RFC 9207).
 */
export function chooseRedirectPath(
  { issuer, metadata }: Discovered,
  { metadataUrl }: OAuthClientSettings,
): string {
  const isDocument =
    metadataUrl !== undefined && metadata?.client_id_metadata_document_supported === true
  const isNamed = metadata?.authorization_response_iss_parameter_supported === true
  return isDocument && isNamed ? PATH : `${PATH}/${hash('sha256', issuer).slice(0, 16)}`
}

const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Toolblocks</title><p>The answer was received. You can close this page and return to the program.</p></html>`

/**
 * Waits on 127.0.0.1 for the browser that an authorization server sends back. It accepts one request: with the address of the redirect and the
 * `state` of the login. `show` shows the address to the person; if it resolves with a text, that text is the answer.
 */
export async function listenForRedirect(options: {
  /** Default: `/callback`. */
  path?: string
  /** Default: a free one. */
  port?: number
  /** Whether it fails if the port is taken. Default: false, and a free port is used. */
  isRequired?: boolean
  show: (
    address: URL,
    signal: AbortSignal,
    parties: LoginParties,
  ) => Promise<string | undefined> | void
}): Promise<RedirectPage> {
  requireArguments('listenForRedirect(options)', [options, { show: 'function' }])
  const { path = PATH, port = 0, isRequired = false, show } = options
  let expected: string | undefined
  let receive: ((address: string) => void) | undefined
  const server = createServer({ requestTimeout: 10_000, keepAlive: false }, (request, response) => {
    const own = `127.0.0.1:${getPort(server)}`
    const address = URL.parse(request.url ?? '', `http://${own}`)
    response.setHeader('connection', 'close')
    // Another host is a page of the Internet whose name was made to lead here.
    const isRedirect =
      request.method === 'GET' && request.headers.host === own && address?.pathname === path
    if (!isRedirect) return void response.writeHead(404).end()
    if (expected === undefined || address.searchParams.get('state') !== expected)
      return void response.writeHead(400).end('This login is unknown or already over.')
    expected = undefined
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'",
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    })
    response.end(PAGE)
    receive?.(address.href)
  })
  try {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  } catch (error) {
    if (isRequired || port === 0) throw error
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  }
  return {
    redirectUrl: `http://127.0.0.1:${getPort(server)}${path}`,
    visit: async (address, { state, signal, ...parties }) => {
      signal.throwIfAborted()
      const over = new AbortController()
      const ending = AbortSignal.any([signal, over.signal])
      try {
        return await new Promise<string>((resolve, reject) => {
          receive = resolve
          expected = state
          signal.addEventListener('abort', () => reject(signal.reason), {
            once: true,
            signal: over.signal,
          })
          void Promise.resolve(show(address, ending, parties)).then(
            (typed) => typed !== undefined && resolve(typed),
            reject,
          )
        })
      } finally {
        expected = undefined
        over.abort()
      }
    },
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

function getPort(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}
