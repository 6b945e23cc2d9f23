import { requireArguments } from '@toolblocks/protocol/internal'
import { fetchAnswer } from '../wire/fetch-answer.ts'
import { AuthorizationError, type HttpFetch } from '../wire/http-fetch.ts'
import { maskText, rememberSecrets } from '../wire/known-secrets.ts'
import { createClientAuthentication } from './authenticate-client.ts'
import { type Challenge, readChallenge, readMissingScopes } from './challenge.ts'
import {
  type Credential,
  type CredentialStore,
  getSecrets,
  type LoginStatus,
  toStatus,
} from './credential.ts'
import { discover, type Discovered } from './discover.ts'
import { explainRefusal, type LoginRefusal } from './explain-refusal.ts'
import { createGuardedFetch, type GuardedFetch } from './guarded-fetch.ts'
import { isLoopbackHost } from './inner-address.ts'
import type { RedirectPage, WantedRedirect } from './listen-for-redirect.ts'
import { loadSdk, type Sdk } from './load-sdk.ts'
import {
  beginLogin,
  type BegunLogin,
  finishLogin,
  type LoginAddresses,
  type LoginOptions,
  performLogin,
} from './perform-login.ts'
import { checkingTokens, isToken, readTokens } from './read-tokens.ts'
import { type DescribeLogin, refuseIssuer } from './refuse-issuer.ts'
import { type OAuthClientSettings, toClientInformation } from './register-client.ts'
import { revokeTokens } from './revoke-tokens.ts'

/** Milliseconds before the end of an access token at which it is refreshed. */
const EARLY_MS = 60_000
/** Milliseconds for finding the authorization server before a renewal, and for revoking the tokens of a login that is over. */
const FIND_MS = 20_000
const REVOKE_MS = 10_000

/** Milliseconds that renewals have when their program ends: tokens that the authorization server has issued would be lost. */
const GRACE_MS = 5000

const NEVER = new AbortController().signal

/** How a person logs in to one MCP server, and where the login is kept. */
export interface OAuthOptions {
  /** The URL of the server. */
  readonly url: string
  readonly credentials: CredentialStore
  /** Default: this program registers itself. */
  readonly client?: OAuthClientSettings
  /** The scopes to request, in addition to those that the server names. Default: those of the server's metadata. */
  readonly scopes?: readonly string[]
  /** Hosts that the server's metadata may name although their address is inside a network; with a port, only that port. */
  readonly allowHosts?: readonly string[]
  /**
   * The issuer identifier of the authorization server, the only one that is used. Default: that of the first login, which needs `LoginOptions.issuer` if
   * `client` has a secret.
   */
  readonly issuer?: string
  /** Says in one line how a person logs in, with the scopes that are missing, or with the issuer that the person accepts by that. */
  readonly describeLogin?: DescribeLogin
  /** Opens the page of a login that a request needs. Absent: a request without a usable login fails, and says how to log in. */
  readonly openPage?: (wanted: WantedRedirect) => Promise<RedirectPage>
  /**
   * Aborts when the program ends, or uses the server no more. Then renewals have 5 seconds, as calls of a service have, and are ended with its
   * reason: an authorization server that does not answer keeps no program alive. Default: never.
   */
  readonly signal?: AbortSignal
}

/** The login at one MCP server. */
export interface OAuth {
  /** Sends requests to the server with its access token, and renews it. For `ConnectOptions.fetch`. */
  readonly fetch: HttpFetch
  /** Lets a person log in, and keeps the login. Rejects with an `AuthorizationError`; then a login from before is unchanged. */
  logIn(options: LoginOptions): Promise<LoginStatus>
  /**
   * Begins a login that another process may finish: returns the address that a person opens, and what `finishLogin` needs. That is secret, and belongs to the person who began. `getRedirectUrl`
   * returns where the browser is sent afterwards: an address that ends with `path`.
   */
  beginLogin(
    getRedirectUrl: (wanted: WantedRedirect) => string,
    options?: Omit<LoginOptions, 'openPage'>,
  ): Promise<{ address: URL; issuer: string; begun: BegunLogin }>
  /** Finishes a login with the address to which the browser was sent, and keeps it. Rejects as `logIn` does. */
  finishLogin(
    begun: BegunLogin,
    answer: string,
    options?: { readonly signal?: AbortSignal },
  ): Promise<LoginStatus>
  /** Removes the login, and revokes its tokens where the authorization server offers it. Rejects with the reason of `signal`, or of the store. */
  logOut(options?: {
    readonly signal?: AbortSignal
  }): Promise<'not-logged-in' | 'removed' | 'revoked'>
  /** Reads the kept login without its secrets; `undefined` if nobody is logged in. It sends no request. */
  getStatus(): Promise<LoginStatus | undefined>
}

/**
 * Creates the login at one MCP server. Tokens are bound to the issuer and to the resource: they are sent to the server's origin and to the
 * authorization server that issued them, to no other. MCP's SDK, an optional peer, is loaded when a request needs it.
 */
export function createOAuth(login: OAuthOptions): OAuth {
  requireArguments('createOAuth(login)', [login, { url: 'string', credentials: 'object' }])
  const {
    url,
    credentials,
    client = {},
    scopes: configured = [],
    allowHosts = [],
    issuer,
    describeLogin = () => 'Log in to the server.',
    openPage,
    signal: ending = NEVER,
  } = login
  const server = new URL(url)
  const guarded = createGuardedFetch({ server, allowHosts })
  const over = abortLater(ending, GRACE_MS)
  const needLogin = (reason: string, scopes: readonly string[] = []): AuthorizationError =>
    // A server may name its token as a scope.
    new AuthorizationError(maskText(reason, server.origin), {
      fix: maskText(describeLogin(scopes), server.origin),
    })
  const needScopes = (scopes: readonly string[]): AuthorizationError => {
    const which =
      scopes.length === 0 ? 'more scopes' : `the scope ${JSON.stringify(scopes.join(' '))}`
    return needLogin(`the request requires ${which}, which the login does not have`, scopes)
  }
  /** The credential of the last request; `undefined` before the first one, `null` without a login. */
  let held: Credential | null | undefined
  let challenge: Challenge = { scopes: [] }
  let running: Promise<Credential> | undefined

  const fetchAuthorized: HttpFetch = async (address, init) => {
    const signal = init.signal ?? NEVER
    let used = await getCredential(signal)
    let response = await sendWithToken(address, init, used)
    if (response.status === 401) {
      await response.body?.cancel()
      challenge = readChallenge(await loadSdk(), response)
      used = await renewOrLogIn(used, signal)
      response = await sendWithToken(address, init, used)
      if (response.status === 401) {
        await response.body?.cancel()
        throw needLogin('the server refuses the token of the login')
      }
    }
    if (response.status !== 403) return response
    const missing = readMissingScopes(await loadSdk(), response)
    if (!missing) return response
    await response.body?.cancel()
    const stored = (await credentials.read(url)) ?? null
    if (stored && stored.accessToken !== used?.accessToken) held = stored
    else if (openPage && missing.length > 0) {
      await logIn({ openPage, scopes: [...(stored?.scopes ?? []), ...missing] })
    } else throw needScopes(missing)
    response = await sendWithToken(address, init, held)
    const still = response.status === 403 && readMissingScopes(await loadSdk(), response)
    if (!still) return response
    await response.body?.cancel()
    throw needScopes(still)
  }

  /** Sends a request; the token only to the server's own origin, and only where others cannot read it. */
  async function sendWithToken(
    address: URL,
    init: RequestInit,
    used: Credential | null | undefined,
  ): Promise<Response> {
    const isOwn =
      address.host === server.host &&
      (address.protocol === server.protocol || address.protocol === 'https:')
    const isSafe = address.protocol === 'https:' || isLoopbackHost(address.hostname)
    if (!used || !isOwn || !isSafe) return await fetchAnswer(address, init)
    // A token with other characters cannot be sent, and the error of the attempt would contain it.
    if (!isToken(used.accessToken)) throw needLogin('the kept token is no token')
    rememberSecrets(server.origin, getSecrets(used), { isIssued: true })
    const headers = new Headers(init.headers)
    headers.set('authorization', `Bearer ${used.accessToken}`)
    return await fetchAnswer(address, { ...init, headers })
  }

  /** Returns the credential for a request, and renews it shortly before it expires. */
  async function getCredential(signal: AbortSignal): Promise<Credential | null> {
    if (held === undefined) held = (await credentials.read(url)) ?? null
    const { expiresAt = Infinity, refreshToken, accessToken, unusable } = held ?? {}
    if (refreshToken === undefined || unusable !== undefined || Date.now() < expiresAt - EARLY_MS)
      return held
    try {
      return await renew(accessToken, signal)
    } catch (error) {
      // Another request may renew it while the token is still valid.
      if (Date.now() >= expiresAt || !(error instanceof AuthorizationError)) throw error
      return held
    }
  }

  async function renewOrLogIn(
    used: Credential | null,
    signal: AbortSignal,
  ): Promise<Credential | null> {
    try {
      return await renew(used?.accessToken, signal)
    } catch (error) {
      if (!openPage || !(error instanceof AuthorizationError) || error.transient) throw error
      await logIn({ openPage })
      return held ?? null
    }
  }

  /**
   * Returns a credential with another access token than the refused one: what another process has stored meanwhile, or a refreshed one. Rejects if
   * only a person can log in. `request` is the signal of the request. The refresh does not end with it, because its tokens would be lost.
   */
  async function renew(refused: string | undefined, request: AbortSignal): Promise<Credential> {
    const signal = AbortSignal.any([request, over])
    const before = await credentials.read(url)
    let failure: AuthorizationError | undefined
    let discovered: Discovered | undefined
    if (canRenew(before, refused)) {
      try {
        // Before the change: other processes wait only for the request for tokens.
        const ask = within(AbortSignal.any([signal, AbortSignal.timeout(FIND_MS)]))
        discovered = await findServer(await loadSdk(), before, ask)
      } catch (error) {
        signal.throwIfAborted()
        throw (await explain(error, before)).explained
      }
    }
    const change = async (current: Credential | undefined): Promise<Credential | undefined> => {
      over.throwIfAborted()
      if (!discovered || !canRenew(current, refused) || current.issuer !== discovered.issuer)
        return current
      try {
        return await refresh(current, discovered)
      } catch (error) {
        over.throwIfAborted()
        const { code, explained } = await explain(error, current)
        failure = explained
        return code === undefined ? current : { ...current, unusable: code }
      }
    }
    const next = await credentials.change(url, change, signal)
    held = next ?? null
    if (failure?.transient) throw failure
    if (!next) throw needLogin('the server requires a login')
    if (next.unusable !== undefined)
      throw failure ?? needLogin(`the login is over (${next.unusable})`)
    if (failure) throw failure
    if (next.accessToken === refused) throw needLogin('the login has expired')
    return next
  }

  async function explain(error: unknown, current: Credential): Promise<LoginRefusal> {
    rememberSecrets(server.origin, getSecrets(current), { isIssued: true })
    return explainRefusal(await loadSdk(), error, {
      what: 'the login could not be renewed',
      fix: describeLogin([]),
      origin: server.origin,
    })
  }

  async function refresh(
    current: Credential & { readonly refreshToken: string },
    { address, metadata }: Discovered,
  ): Promise<Credential> {
    const sdk = await loadSdk()
    const tokens = await sdk.refreshAuthorization(address, {
      ...(metadata && { metadata }),
      clientInformation: toClientInformation(current.client),
      addClientAuthentication: createClientAuthentication(
        sdk,
        current.client,
        metadata?.token_endpoint_auth_methods_supported,
      ),
      refreshToken: current.refreshToken,
      ...(current.resource !== undefined && { resource: current.resource }),
      fetchFn: checkingTokens(within(over)),
    })
    const { unusable: _unusable, expiresAt: _expiresAt, ...kept } = current
    return { ...kept, ...readTokens(tokens) }
  }

  /** Finds the authorization server of a login, which must be the one that has issued it. */
  async function findServer(
    sdk: Sdk,
    current: Credential,
    ask: GuardedFetch['fetch'],
  ): Promise<Discovered> {
    if (issuer !== undefined && issuer !== current.issuer)
      throw needLogin(
        `the login is one at ${JSON.stringify(current.issuer)}, and the configuration names the issuer ${JSON.stringify(issuer)}`,
      )
    return await discover(server, {
      sdk,
      fetch: ask,
      metadataUrl: challenge.metadataUrl ?? current.metadataUrl,
      expected: current.issuer,
      refuse: (named) =>
        refuseIssuer(named, current.issuer, {
          source: issuer === undefined ? 'login' : 'configuration',
          describeLogin,
        }),
    })
  }

  /** Sends requests about authorization until a signal. */
  function within(signal: AbortSignal): GuardedFetch['fetch'] {
    return async (to, init) => await guarded.fetch(to, { ...init, signal })
  }

  const loginPlace: LoginAddresses = {
    server,
    url,
    credentials,
    client,
    scopes: configured,
    issuer,
    guarded,
    describeLogin,
    getChallenge: async (ask) =>
      challenge.metadataUrl === undefined ? await askForChallenge(ask) : challenge,
  }

  async function logIn(options: LoginOptions): Promise<LoginStatus> {
    running ??= performLogin(options, loginPlace).finally(() => (running = undefined))
    held = await running
    return toStatus(held)
  }

  /** Asks the server what it requires: without a token it refuses a request, and names its metadata. */
  async function askForChallenge(ask: GuardedFetch['fetch']): Promise<Challenge> {
    const response = await ask(server, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    })
    if (response.status === 401) challenge = readChallenge(await loadSdk(), response)
    return challenge
  }

  return {
    fetch: fetchAuthorized,
    logIn,
    beginLogin: async (getRedirectUrl, options = {}) => {
      const { address, begun } = await beginLogin(options, loginPlace, getRedirectUrl)
      return { address, issuer: begun.discovered.issuer, begun }
    },
    finishLogin: async (begun, answer, options = {}) => {
      held = await finishLogin(begun, answer, { ...options, loginPlace })
      return toStatus(held)
    },
    logOut: async ({ signal = NEVER } = {}) => {
      let before: Credential | undefined
      const remove = async (current: Credential | undefined): Promise<undefined> => {
        before = current
      }
      await credentials.change(url, remove, signal)
      held = null
      if (!before) return 'not-logged-in'
      const removed = before
      rememberSecrets(server.origin, getSecrets(removed), { isIssued: true })
      const ask = within(AbortSignal.any([signal, AbortSignal.timeout(REVOKE_MS)]))
      const isRevoked = await revokeTokens(removed, {
        find: async (sdk) => await findServer(sdk, removed, ask),
        fetch: ask,
      })
      return isRevoked ? 'revoked' : 'removed'
    },
    getStatus: async () => {
      const current = await credentials.read(url)
      return current && toStatus(current)
    },
  }
}

/** Returns a signal that aborts some time after another one, for the same reason. */
function abortLater(signal: AbortSignal, ms: number): AbortSignal {
  const later = new AbortController()
  const begin = (): void => void setTimeout(() => later.abort(signal.reason), ms).unref()
  if (signal.aborted) begin()
  else signal.addEventListener('abort', begin, { once: true })
  return later.signal
}

/** Whether a login can be renewed without a person, and still has the token that was refused. */
function canRenew(
  current: Credential | undefined,
  refused: string | undefined,
): current is Credential & { readonly refreshToken: string } {
  const { accessToken, refreshToken, unusable } = current ?? {}
  return accessToken === refused && refreshToken !== undefined && unusable === undefined
}
