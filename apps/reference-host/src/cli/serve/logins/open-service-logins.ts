import { createHmac } from 'node:crypto'
import type { ConversationStore } from '@toolblocks/conversation-store'
import { getLoginKey } from '../../../workspace/servers/login-of-server.ts'
import { readServer } from '../../../workspace/servers/open-servers.ts'
import type { WrittenServer } from '../../../workspace/servers/written-servers.ts'
import type { ClientAccess, ServedAccess } from '../clients/client-access.ts'
import type { RightsOfClients } from '../clients/client-rights.ts'
import { createValueSealer } from '../sign-in/seal-values.ts'
import type { SignIn } from '../sign-in/sign-in.ts'
import { readCredentialsKey } from './credentials-key.ts'
import { createLoginPages, type PersonalServer } from './login-pages.ts'
import { createServiceLogins, type ServiceLogins } from './person-logins.ts'
import { openStoredLogins } from './stored-logins.ts'

/** The logins of people, and the pages on which they log in. */
export interface OpenedLogins {
  logins: ServiceLogins
  /** Differs where the key of the logins differs, and says nothing else about it. */
  keyMark: string
  /** Creates the pages, once it is known how people sign in. */
  createPages(signIn: SignIn): ReturnType<typeof createLoginPages>
}

/** What a service with such servers needs. */
export interface LoginNeeds {
  root: string
  /** Who may use it over HTTP. Absent: whoever has its token. */
  serve?: ServedAccess['serve']
  /** The servers with `login = "each"`. */
  personal?: readonly WrittenServer[]
  store?: ConversationStore
  rights: RightsOfClients | undefined
  signal: AbortSignal
  warn: (message: string) => void
}

/** Opens the logins of people at servers for a service over HTTP, or says what is missing. Neither: there is nothing to open. */
export function openServiceLogins(
  { root, serve, personal = [], store, rights, signal, warn }: LoginNeeds,
  { http, publicUrl }: { http?: number; publicUrl?: string },
  environment: Readonly<Record<string, string | undefined>>,
): { logins?: OpenedLogins; problem?: string } {
  const [first] = personal
  if (!first || http === undefined) return {}
  const where = `[mcp.servers.${first.name}] login = "each"`
  if (publicUrl === undefined)
    return { problem: `${where} needs --public-url: where people reach the page of the login` }
  if (!store) return { problem: `${where} needs a store, which keeps the logins: set [store] url` }
  const file = typeof serve === 'object' ? serve.credentials_key_file : undefined
  const read = readCredentialsKey({ root, file }, environment)
  if (!read.ok) return { problem: read.message }
  const servers: PersonalServer[] = []
  for (const written of personal) {
    const { name } = written
    if (written.own.required)
      return {
        problem: `[mcp.servers.${name}] cannot be required and have login = "each": the service itself has no login there`,
      }
    const config = readServer(written, { root, environment })
    const transport = config.ok ? config.config.transport : undefined
    const url = transport?.kind === 'http' ? getLoginKey(transport.url) : undefined
    if (url === undefined)
      return { problem: `[mcp.servers.${name}] login = "each" needs "url": a web address` }
    servers.push({ written, url })
  }
  const sealer = createValueSealer(read.key, 'server-logins')
  const { origin } = new URL(publicUrl)
  const stored = openStoredLogins(store.documents, sealer, { warn })
  const logins = createServiceLogins({ stored, origin, environment, signal })
  const createPages: OpenedLogins['createPages'] = (signIn) =>
    createLoginPages({
      signIn,
      logins,
      servers,
      origin,
      maySee: (person, server) => rights?.find(person).maySeeServer(server) ?? true,
      documents: store.documents,
      sealer,
    })
  const keyMark = createHmac('sha256', read.key).update('key of logins').digest('base64url')
  return { logins: { logins, keyMark, createPages } }
}

/** Refuses a service whose clients have no names: nobody could say whose login is used. */
export function findUnnamed(
  { kind }: ClientAccess,
  logins: OpenedLogins | undefined,
): string | undefined {
  return logins && kind === 'token'
    ? 'login = "each" needs clients that the service knows: [serve.clients] or [serve.oauth]'
    : undefined
}
