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
  login?: { status: LoginStatus; place: string }
}

/** Finds the servers at which a person can log in, and the logins. Reaches no server. */
export async function findLogins(
  servers: readonly WrittenServer[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<readonly FoundLogin[]> {
  const found = await Promise.all(
    servers.map(async (written): Promise<readonly FoundLogin[]> => {
      const read = readServer(written, { root: '.', environment })
      if (!read.ok || read.config.transport.kind !== 'http') return []
      const { transport } = read.config
      const key = getLoginKey(transport.url)
      const login = await openLogin(read.config, written, environment)
      if (!login || key === undefined) return []
      const status = await login.getStatus()
      const place = await (await openLogins()).findPlace(key)
      const { name, table } = written
      return [
        {
          name,
          url: String(table['url']),
          ...(status && place !== undefined && { login: { status, place } }),
        },
      ]
    }),
  )
  return found.flat()
}
