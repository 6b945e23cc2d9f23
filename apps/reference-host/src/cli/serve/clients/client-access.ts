import {
  type Authenticate,
  authenticateByTokens,
  createOAuthResource,
  hashToken,
  type TokenClient,
} from '@toolblocks/mcp-bridge/identity'
import type { JsonObject } from '@toolblocks/protocol'
import type { ServeConfiguration } from '../../../workspace/configuration/serve-schema.ts'
import { HOW_TO_AGREE } from '../../../workspace/waiting-parts.ts'
import type { IssuerSettings } from '../sign-in/issuer-sign-in.ts'
import { type ClientToken, openStoredTokens, tokensFile } from './stored-tokens.ts'
import type { SharedTokens } from './shared-tokens.ts'

/** Who may use a service over HTTP. */
export type ClientAccess =
  /** Whoever has the token of the service. */
  | { kind: 'token' }
  /** Clients, each with tokens of its own. `metadata`: says where they log in. */
  | {
      kind: 'clients'
      names: readonly string[]
      authenticate: Authenticate
      metadata?: JsonObject
      /** Returns the clients with their tokens at this moment. */
      listClients: () => readonly TokenClient[]
      /** How people sign in at the issuer on pages. */
      issuer?: IssuerSettings
      /** Returns what identifies the credentials that count now. */
      getAccess(): string
    }
  | { kind: 'refused'; message: string }

/** What is served, as far as it decides who may use it. */
export interface ServedAccess {
  /** What stored tokens are for: the folder of the workspace, or the servers that were typed. */
  root: string
  /** The table of the configuration; `waiting`: the user has not agreed to it. */
  serve: ServeConfiguration | 'waiting' | undefined
  /** The tokens of the store, for clients of the table. Absent: they are not in the store. */
  shared?: Pick<SharedTokens, 'list'> | undefined
}

/** The options of `toolblocks serve` that decide who may use it. */
interface AccessOptions {
  http?: number
  tokenEnv?: string
  replicaAddress?: string
  publicUrl?: string
}

/** Reads who may use a service. Tokens that `toolblocks serve tokens` adds or revokes later count at once, if there are clients when the service begins. */
export function openClientAccess(
  { root, serve, shared }: ServedAccess,
  { http, tokenEnv, replicaAddress, publicUrl }: AccessOptions,
  environment: Readonly<Record<string, string | undefined>>,
): ClientAccess {
  if (http === undefined) return { kind: 'token' }
  if (serve === 'waiting')
    return refused(`[serve] has no effect, because you have not agreed to it: ${HOW_TO_AGREE}`)
  const tables = serve?.clients
  const store = openStoredTokens(tokensFile())
  // Another service of the store may have other clients.
  const filterNamed = (stored: readonly ClientToken[]): readonly ClientToken[] =>
    tables ? stored.filter(({ name }) => Object.hasOwn(tables, name)) : stored
  const listStored = (): readonly ClientToken[] =>
    filterNamed([...store.list(root), ...((tables && shared?.list()) ?? [])])
  const oauth = serve?.oauth
  if (!tables && !oauth && listStored().length === 0) {
    if (replicaAddress === undefined || tokenEnv !== undefined) return { kind: 'token' }
    return refused(
      '--replica-address needs --token-env or [serve.clients]: every replica accepts the same tokens',
    )
  }
  if (tokenEnv !== undefined)
    return refused(
      `--token-env cannot be used here: the clients of this service have tokens of their own (${serve ? '[serve]' : '"toolblocks serve tokens list"'})`,
    )
  const written = readWritten(tables, environment)
  if (!written.ok) return refused(written.message)
  const { clients } = written
  const names = [...new Set([...clients.keys(), ...listStored().map(({ name }) => name)])]
  const listClients = (): readonly TokenClient[] => addStored(clients, listStored())
  const byTokens = authenticateByTokens(listClients)
  const getAccess = (): string =>
    JSON.stringify([
      oauth,
      // Those of the store are the same at every process that uses it, a moment later.
      addStored(clients, filterNamed(store.list(root))).flatMap(({ name, groups, tokens }) =>
        tokens.map(({ hash }) => JSON.stringify([name, groups, hash])).toSorted(),
      ),
    ])
  if (!oauth) return { kind: 'clients', names, authenticate: byTokens, listClients, getAccess }
  const audience = oauth.audience ?? (publicUrl && new URL('/mcp', publicUrl).href)
  if (audience === undefined)
    return refused(
      '[serve.oauth] needs --public-url, or "audience": the address of this service that tokens are for',
    )
  const { introspection, client_id: clientId, client_secret_env: secretVariable } = oauth
  const clientSecret = secretVariable === undefined ? undefined : environment[secretVariable]
  if (secretVariable !== undefined && !clientSecret)
    return refused(
      `[serve.oauth] client_secret_env = ${JSON.stringify(secretVariable)}: this environment variable is not set`,
    )
  if (introspection !== undefined && introspection !== false && clientId === undefined)
    return refused('[serve.oauth] introspection needs "client_id": who asks the issuer')
  const { authenticate, metadata } = createOAuthResource({
    issuer: oauth.issuer,
    audience,
    ...(oauth.scopes && { scopes: oauth.scopes }),
    ...(oauth.identity_claim !== undefined && { identityClaim: oauth.identity_claim }),
    ...(oauth.name_claim !== undefined && { nameClaim: oauth.name_claim }),
    ...(oauth.groups_claim !== undefined && { groupsClaim: oauth.groups_claim }),
    ...(introspection &&
      clientId !== undefined && {
        introspection: {
          clientId,
          ...(clientSecret && { clientSecret }),
          ...(typeof introspection === 'string' && { endpoint: introspection }),
        },
      }),
  })
  return {
    kind: 'clients',
    listClients,
    ...(clientId !== undefined && {
      issuer: {
        issuer: oauth.issuer,
        clientId,
        ...(clientSecret && { clientSecret }),
        audience,
        scopes: oauth.scopes ?? [],
        groups: Object.keys(serve?.groups ?? {}),
        authenticate,
      },
    }),
    names: [...names, `whoever logs in at ${oauth.issuer}`],
    metadata,
    getAccess,
    authenticate: async (request) => {
      const byToken = await byTokens(request)
      return byToken.ok ? byToken : await authenticate(request)
    },
  }
}

function refused(message: string): ClientAccess {
  return { kind: 'refused', message }
}

/** Reads the clients of the configuration with the tokens of the environment. */
function readWritten(
  tables: ServeConfiguration['clients'] = {},
  environment: Readonly<Record<string, string | undefined>>,
): { ok: true; clients: ReadonlyMap<string, TokenClient> } | { ok: false; message: string } {
  const clients = new Map<string, TokenClient>()
  const owners = new Map<string, string>()
  for (const [name, { token_env: variable, groups = [] }] of Object.entries(tables)) {
    const token = variable === undefined ? undefined : environment[variable]
    const where = `[serve.clients.${name}] token_env = ${JSON.stringify(variable)}`
    if (variable !== undefined && !token)
      return { ok: false, message: `${where}: this environment variable is not set` }
    const owner = token && owners.get(token)
    if (owner !== undefined && owner !== '')
      return { ok: false, message: `${where}: the client ${owner} has the same token` }
    if (token) owners.set(token, name)
    clients.set(name, { name, groups, tokens: token ? [{ hash: hashToken(token) }] : [] })
  }
  return { ok: true, clients }
}

function addStored(
  written: ReadonlyMap<string, TokenClient>,
  stored: readonly ClientToken[],
): readonly TokenClient[] {
  const clients = new Map(written)
  for (const { name, hash, expires } of stored) {
    const client = clients.get(name) ?? { name, tokens: [] }
    const token = { hash, ...(expires !== undefined && { expires: Date.parse(expires) }) }
    clients.set(name, { ...client, tokens: [...client.tokens, token] })
  }
  return [...clients.values()]
}
