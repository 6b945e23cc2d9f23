import { formatCommand } from '@toolblocks/local-executor/internal'
import type { ServerConfig } from '@toolblocks/mcp-bridge'
import { expandVariables } from '@toolblocks/mcp-bridge/internal/names'
import type { OAuth, OAuthOptions } from '@toolblocks/mcp-bridge/oauth'
import type { WrittenServer } from './written-servers.ts'
import { openLogins } from './logins/open-logins.ts'

/**
 * The login of this user at a server, or `undefined` if requests to it have no login: a program, or one with a header for it. `signal` ends renewals; see
 * `OAuthOptions`.
 */
export async function openLogin(
  { name, transport }: ServerConfig,
  { own: { oauth = {} } }: WrittenServer,
  environment: Readonly<Record<string, string | undefined>>,
  signal?: AbortSignal,
): Promise<OAuth | undefined> {
  if (transport.kind !== 'http' || !canLogIn(transport)) return undefined
  const url = getLoginKey(transport.url)
  if (url === undefined) return undefined
  return await createLogin(
    { url, oauth, environment },
    {
      credentials: await openLogins(),
      ...(signal && { signal }),
      describeLogin: (scopes, issuer) => {
        const command = ['toolblocks', 'mcp', 'login', name]
        const accepted = issuer === undefined ? [] : ['--issuer', issuer]
        const more = [...scopes.flatMap((scope) => ['--scope', scope]), ...accepted]
        return `Run: ${formatCommand([...command, ...more])}`
      },
    },
  )
}

/** Creates the login at a server with the settings of its table. */
export async function createLogin(
  {
    url,
    oauth = {},
    environment,
  }: {
    url: string
    oauth: WrittenServer['own']['oauth']
    environment: Readonly<Record<string, string | undefined>>
  },
  kept: Pick<OAuthOptions, 'credentials' | 'signal' | 'describeLogin'>,
): Promise<OAuth> {
  const { createOAuth } = await import('@toolblocks/mcp-bridge/oauth')
  const expand = (text: string): string => expandVariables(text, environment).expanded
  return createOAuth({
    url,
    ...kept,
    client: {
      ...(oauth.client_id !== undefined && { id: expand(oauth.client_id) }),
      ...(oauth.client_secret !== undefined && { secret: expand(oauth.client_secret) }),
      ...(oauth.client_metadata_url !== undefined && { metadataUrl: oauth.client_metadata_url }),
      ...(oauth.redirect_port !== undefined && { redirectPort: oauth.redirect_port }),
    },
    ...(oauth.scopes && { scopes: oauth.scopes }),
    ...(oauth.allow_hosts && { allowHosts: oauth.allow_hosts }),
    ...(oauth.issuer !== undefined && { issuer: oauth.issuer }),
  })
}

/** Whether a person can log in at a server: a header with credentials takes the place of a login. */
function canLogIn({ headers = {} }: { headers?: Readonly<Record<string, string>> }): boolean {
  return Object.keys(headers).every((header) => header.toLowerCase() !== 'authorization')
}

/** Returns the address under which a login is kept; `undefined` if it is no web address. */
export function getLoginKey(url: string): string | undefined {
  const address = URL.parse(url)
  if (!address || !/^https?:$/.test(address.protocol)) return undefined
  address.hash = ''
  return address.href
}
