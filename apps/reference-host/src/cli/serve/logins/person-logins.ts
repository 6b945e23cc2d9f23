import { randomUUID } from 'node:crypto'
import { AuthorizationError, type HttpFetch } from '@toolblocks/mcp-bridge'
import type { ClientIdentity } from '@toolblocks/mcp-bridge/identity'
import type { OAuth } from '@toolblocks/mcp-bridge/oauth'
import type { ServedClient } from '@toolblocks/mcp-bridge/server'
import { createFailure, isJsonObject, type ToolCall, type ToolContext } from '@toolblocks/protocol'
import { quoteName } from '@toolblocks/protocol/internal'
import { createLogin, getLoginKey } from '../../../workspace/servers/login-of-server.ts'
import {
  LOGINS_OF_NOBODY,
  type PersonLogin,
  type PersonLogins,
} from '../../../workspace/servers/person-login.ts'
import type { WrittenServer } from '../../../workspace/servers/written-servers.ts'
import { needLogin, type StoredLogins } from './stored-logins.ts'

/** The logins of people at the servers behind a service. */
export interface ServiceLogins {
  /** The logins of a client, for its connections. */
  forClient(client: ServedClient): PersonLogins
  /** The login of a person at a server, for the pages. */
  open(person: ClientIdentity, written: WrittenServer, url: string): Promise<OAuth>
}

/** Milliseconds that a call waits for a person who logs in. */
const LOGIN_MS = 10 * 60 * 1000

/** Creates the logins of people. `origin`: where their browsers reach the pages of the service. */
export function createServiceLogins({
  stored,
  origin,
  environment,
  signal: ending,
}: {
  stored: StoredLogins
  origin: string
  environment: Readonly<Record<string, string | undefined>>
  /** Aborts when the service ends. */
  signal: AbortSignal
}): ServiceLogins {
  async function open(
    person: ClientIdentity,
    { name, own: { oauth } }: Pick<WrittenServer, 'name' | 'own'>,
    url: string,
  ): Promise<OAuth> {
    return await createLogin(
      { url, oauth, environment },
      {
        credentials: stored.of(person, name),
        signal: ending,
        describeLogin: (scopes) =>
          `Open ${getLoginAddress(origin, name, scopes)} in a browser and log in there.`,
      },
    )
  }

  return {
    open,
    forClient: (client) => {
      const { identified: person } = client
      if (!person) return LOGINS_OF_NOBODY
      return {
        at: (written, { transport }) => {
          const url = transport.kind === 'http' ? getLoginKey(transport.url) : undefined
          if (url === undefined) return undefined
          const login = stored.of(person, written.name)
          const address = getLoginAddress(origin, written.name)
          return createPersonLogin(written.name, {
            client,
            address,
            isThere: async () => await login.isUsable(url),
            wait: async (signal) => await login.wait(url, signal),
            fetch: sendWithLogin(written.name, {
              url,
              login,
              address,
              open: async () => await open(person, written, url),
            }),
          })
        },
      }
    },
  }
}

/** Returns the address of the page on which a person logs in at a server. */
function getLoginAddress(origin: string, server: string, scopes: readonly string[] = []): string {
  const query = scopes.length === 0 ? '' : `?${new URLSearchParams({ scope: scopes.join(' ') })}`
  return `${origin}/servers/${encodeURIComponent(server)}/login${query}`
}

/** Sends requests with the stored login of a person, as it is at that moment: a login that was removed counts no more. */
function sendWithLogin(
  server: string,
  {
    url,
    login,
    address,
    open,
  }: {
    url: string
    login: ReturnType<StoredLogins['of']>
    address: string
    open: () => Promise<OAuth>
  },
): HttpFetch {
  let used: { token: string; oauth: OAuth } | undefined
  return async (to, init) => {
    const kept = await login.read(url)
    if (!kept || kept.unusable !== undefined) throw needLogin(server, address)
    const { accessToken: token } = kept
    if (used?.token !== token) used = { token, oauth: await open() }
    try {
      return await used.oauth.fetch(to, init)
    } catch (error) {
      if (
        error instanceof AuthorizationError &&
        !error.transient &&
        !/\bscopes?\b/.test(error.reason)
      )
        // The server refuses the token, and it cannot be renewed: the person logs in again.
        await login.change(url, async (current) =>
          current?.accessToken === token && current.unusable === undefined
            ? { ...current, unusable: 'refused' }
            : current,
        )
      throw error
    }
  }
}

function createPersonLogin(
  server: string,
  {
    client: { capabilities, protocolVersion, notify },
    address,
    isThere,
    wait,
    fetch,
  }: Omit<PersonLogin, 'ask'> & {
    client: ServedClient
    address: string
  },
): PersonLogin {
  const canVisit = mayVisit(capabilities)

  async function ask(
    call: ToolCall,
    { ask: askPerson, signal }: ToolContext,
  ): ReturnType<PersonLogin['ask']> {
    if (await isThere()) return undefined
    const refusal = createFailure(
      `The user is not logged in at the server ${quoteName(server)}. This call was not executed. The user opens ${address} in a browser and logs in; then make the call again.`,
    )
    if (!canVisit || !askPerson) return refusal
    const elicitationId = randomUUID()
    const over = new AbortController()
    const waited = AbortSignal.any([signal, over.signal, AbortSignal.timeout(LOGIN_MS)])
    const loggedIn = wait(waited)
    try {
      const answer = await askPerson(
        {
          id: 'log-in',
          text: `Log in at the server ${quoteName(server)}.`,
          schema: { type: 'boolean' },
          url: address,
        },
        { blocks: [], source: { kind: 'elicitation', server, call, elicitationId }, signal },
      )
      if (answer.action !== 'accept' || answer.value === false) return refusal
      // The person has agreed to open the page, and logs in there now.
      await loggedIn
      if (!(await isThere())) return refusal
      if (protocolVersion === '2025-11-25')
        notify('notifications/elicitation/complete', { elicitationId })
      return undefined
    } finally {
      over.abort()
      await loggedIn.catch(() => undefined)
    }
  }

  return { fetch, isThere, wait, ask }
}

/** Whether a client can ask its user to visit a page. */
function mayVisit({ elicitation }: ServedClient['capabilities']): boolean {
  return isJsonObject(elicitation) && elicitation['url'] !== undefined
}
