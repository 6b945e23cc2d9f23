import { AuthorizationError } from '@toolblocks/mcp-bridge'
import type { LoginStatus } from '@toolblocks/mcp-bridge/oauth'
import { readServer } from './open-servers.ts'
import type { WrittenServer } from './written-servers.ts'
import { getLoginKey, openLogin } from './login-of-server.ts'
import { openLogins } from './logins/open-logins.ts'

/** A server at which a person can log in. */
export interface FoundLogin {
  name: string
  /** As written, so that the values of variables stay hidden. */
  url: string
  login?: { status: LoginStatus; placeName: string }
  /** Why the login cannot be read, if there is one. */
  unread?: Pick<AuthorizationError, 'reason' | 'fix'>
}

/** Finds the servers at which a person can log in, and the logins. Reaches no server. */
export async function findLogins(
  servers: readonly WrittenServer[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<readonly FoundLogin[]> {
  const logins = await Promise.all(
    servers.map(async (written): Promise<readonly FoundLogin[]> => {
      const read = readServer(written, { root: '.', environment })
      if (!read.ok || read.config.transport.kind !== 'http') return []
      const { transport } = read.config
      const key = getLoginKey(transport.url)
      const login = await openLogin(read.config, written, environment)
      if (!login || key === undefined) return []
      const server = { name: written.name, url: String(written.table['url']) }
      try {
        const status = await login.getStatus()
        const placeName = await (await openLogins()).findPlace(key)
        return [
          {
            ...server,
            ...(status && placeName !== undefined && { login: { status, placeName } }),
          },
        ]
      } catch (error) {
        if (!(error instanceof AuthorizationError)) throw error
        return [{ ...server, unread: error }]
      }
    }),
  )
  return logins.flat()
}
