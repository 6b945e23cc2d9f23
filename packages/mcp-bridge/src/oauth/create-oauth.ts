import { randomBytes } from 'node:crypto'
import type { OAuthTokens } from '@modelcontextprotocol/client'
import { fetchAnswer } from '../wire/fetch-answer.ts'
import { AuthorizationError, type HttpFetch } from '../wire/http-fetch.ts'
import {
  type Credential,
  type CredentialStore,
  getSecrets,
  type LoginStatus,
  toStatus,
} from './credential.ts'
import { discover, type Discovered } from './discover.ts'
import { explainRefusal } from './explain-refusal.ts'
import { createGuardedFetch } from './guarded-fetch.ts'
import { isLoopbackHost } from './inner-address.ts'
import { loadSdk, type Sdk } from './load-sdk.ts'
import type { RedirectPage } from './listen-for-redirect.ts'
import { readAnswer } from './read-answer.ts'
import { type OAuthClientSettings, registerClient, toClientInformation } from './register-client.ts'
import { revokeTokens } from './revoke-tokens.ts'
import {
  type Challenge,
  chooseScopes,
  readChallenge,
  readMissingScopes,
  readScopes,
} from './challenge.ts'

/** Milliseconds before the end of an access token at which it is refreshed. */
const EARLY_MS = 60_000

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
  /** Says in one line how a person logs in, with the scopes that are missing. */
  readonly describeLogin?: (scopes: readonly string[]) => string
  /** Opens the page of a login that a request needs. Absent: a request without a usable login fails, and says how to log in. */
  readonly openPage?: (wanted: WantedRedirect) => Promise<RedirectPage>
}

/** The redirect address that an authorization server may know already. */
export interface WantedRedirect {
  /** The port to use if it is free; absent: any. */
  readonly port?: number
  /** Whether no other port can be used. */
  readonly isRequired?: boolean
}

/** Options of one login. */
export interface LoginOptions {
  /** Opens the page to which the authorization server sends the browser back. It is closed when the login is over. */
  readonly openPage: (wanted: WantedRedirect) => Promise<RedirectPage>
  /** Scopes in addition to those of `OAuthOptions`. */
  readonly scopes?: readonly string[]
  readonly signal?: AbortSignal
}

/** The login at one MCP server. */
export interface OAuth {
  /** Sends requests to the server with its access token, and renews it. For `ConnectOptions.fetch`. */
  readonly fetch: HttpFetch
  /** Lets a person log in, and keeps the login. Rejects with an `AuthorizationError`; then a login from before is unchanged. */
  logIn(options: LoginOptions): Promise<LoginStatus>
  /** Removes the login, and revokes its tokens where the authorization server offers it. */
  logOut(): Promise<'not-logged-in' | 'removed' | 'revoked'>
  /** Reads the kept login without its secrets; `undefined` if nobody is logged in. It sends no request. */
  getStatus(): Promise<LoginStatus | undefined>
}

/**
 * Creates the login at one MCP server. Tokens are bound to the issuer and to the resource: they are sent to the server's origin and to the
 * authorization server that issued them, to no other. MCP's SDK, an optional peer, is loaded when a request needs it.
 */
export function createOAuth({
  url,
  credentials,
  client = {},
  scopes: configured = [],
  allowHosts = [],
  describeLogin = () => 'Log in to the server.',
  openPage,
}: OAuthOptions): OAuth {
  const server = new URL(url)
  const guarded = createGuardedFetch({ server, allowHosts })
  const needLogin = (reason: string, scopes: readonly string[] = []): AuthorizationError =>
    new AuthorizationError(reason, { fix: describeLogin(scopes) })
  const needScopes = (scopes: readonly string[]): AuthorizationError => {
    const which =
      scopes.length === 0 ? 'more scopes' : `the scope ${JSON.stringify(scopes.join(' '))}`
    return needLogin(`the request requires ${which}, which the login does not have`, scopes)
  }
  /** The credential of the last request; `undefined` before the first one, `null` without a login. */
  let held: Credential | null | undefined
  let challenge: Challenge = { scopes: [] }
  let running: Promise<LoginStatus> | undefined

  const fetchAuthorized: HttpFetch = async (address, init) => {
    let used = await getCredential()
    let response = await send(address, init, used)
    if (response.status === 401) {
      await response.body?.cancel()
      challenge = readChallenge(await loadSdk(), response)
      used = await renewOrLogIn(used)
      response = await send(address, init, used)
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
    response = await send(address, init, held)
    const still = response.status === 403 && readMissingScopes(await loadSdk(), response)
    if (!still) return response
    await response.body?.cancel()
    throw needScopes(still)
  }

  /** Sends a request; the token only to the server's own origin, and only where others cannot read it. */
  async function send(
    address: URL,
    init: RequestInit,
    used: Credential | null | undefined,
  ): Promise<Response> {
    const isOwn =
      address.host === server.host &&
      (address.protocol === server.protocol || address.protocol === 'https:')
    const isSafe = address.protocol === 'https:' || isLoopbackHost(address.hostname)
    if (!used || !isOwn || !isSafe) return await fetchAnswer(address, init)
    const headers = new Headers(init.headers)
    headers.set('authorization', `Bearer ${used.accessToken}`)
    return await fetchAnswer(address, { ...init, headers })
  }

  /** Returns the credential for a request, and renews it shortly before it expires. */
  async function getCredential(): Promise<Credential | null> {
    if (held === undefined) held = (await credentials.read(url)) ?? null
    const { expiresAt = Infinity, refreshToken, accessToken, unusable } = held ?? {}
    if (refreshToken === undefined || unusable !== undefined || Date.now() < expiresAt - EARLY_MS)
      return held
    try {
      return await renew(accessToken)
    } catch (error) {
      // Another request may renew it while the token is still valid.
      if (Date.now() >= expiresAt || !(error instanceof AuthorizationError)) throw error
      return held
    }
  }

  async function renewOrLogIn(used: Credential | null): Promise<Credential | null> {
    try {
      return await renew(used?.accessToken)
    } catch (error) {
      if (!openPage || !(error instanceof AuthorizationError) || error.transient) throw error
      await logIn({ openPage })
      return held ?? null
    }
  }

  /**
   * Returns a credential with another access token than the refused one: what another process has stored meanwhile, or a refreshed one. Rejects if
   * only a person can log in. The refresh does not end with the request, because its tokens would be lost.
   */
  async function renew(refused: string | undefined): Promise<Credential> {
    let failure: AuthorizationError | undefined
    const next = await credentials.change(url, async (current) => {
      const { accessToken, refreshToken, unusable } = current ?? {}
      const isNeeded =
        accessToken === refused && refreshToken !== undefined && unusable === undefined
      if (!current || !isNeeded) return current
      try {
        return await refresh(current, refreshToken)
      } catch (error) {
        const { code, explained } = explainRefusal(await loadSdk(), error, {
          what: 'the login could not be renewed',
          fix: describeLogin([]),
          secrets: getSecrets(current),
        })
        failure = explained
        return code === undefined ? current : { ...current, unusable: code }
      }
    })
    held = next ?? null
    if (failure?.transient) throw failure
    if (!next) throw needLogin('the server requires a login')
    if (next.unusable !== undefined)
      throw failure ?? needLogin(`the login is over (${next.unusable})`)
    if (failure) throw failure
    if (next.accessToken === refused) throw needLogin('the login has expired')
    return next
  }

  async function refresh(current: Credential, refreshToken: string): Promise<Credential> {
    const sdk = await loadSdk()
    const found = await findServer(sdk, current)
    if (found.issuer !== current.issuer)
      throw needLogin('the server has another authorization server now')
    const tokens = await sdk.refreshAuthorization(found.address, {
      ...(found.metadata && { metadata: found.metadata }),
      clientInformation: toClientInformation(current.client),
      refreshToken,
      ...(current.resource !== undefined && { resource: current.resource }),
      fetchFn: guarded.fetch,
    })
    const { unusable: _unusable, expiresAt: _expiresAt, ...kept } = current
    return { ...kept, ...readTokens(tokens) }
  }

  async function findServer(sdk: Sdk, current: Credential | undefined): Promise<Discovered> {
    const metadataUrl = challenge.metadataUrl ?? current?.metadataUrl
    return await discover(server, {
      sdk,
      fetch: guarded.fetch,
      metadataUrl,
      issuer: current?.issuer,
    })
  }

  async function logIn(options: LoginOptions): Promise<LoginStatus> {
    running ??= performLogin(options).finally(() => (running = undefined))
    return await running
  }

  async function performLogin({
    openPage: open,
    scopes = [],
    signal = new AbortController().signal,
  }: LoginOptions): Promise<LoginStatus> {
    const sdk = await loadSdk()
    const before = await credentials.read(url)
    const secrets: string[] = before ? getSecrets(before) : []
    /** What failed here, at the page or at the store, and not at the authorization server. */
    let failure: { error: unknown } | undefined
    const failHere = (error: unknown): never => {
      failure = { error }
      throw error
    }
    try {
      if (challenge.metadataUrl === undefined) await askForChallenge()
      const found = await findServer(sdk, before)
      const { metadata, resource, address } = found
      if (metadata && metadata.code_challenge_methods_supported === undefined)
        throw new AuthorizationError('the authorization server does not support PKCE', {
          fix: 'Ask the operator of the server.',
        })
      const isKnown = before?.issuer === found.issuer && before.unusable === undefined
      const known = isKnown ? before.client : undefined
      const port = client.redirectPort ?? getPort(known?.redirectUrl)
      const isRequired = client.redirectPort !== undefined
      const page = await open(port === undefined ? {} : { port, isRequired }).catch(failHere)
      try {
        const { redirectUrl } = page
        const requested = chooseScopes([...configured, ...scopes, ...challenge.scopes], found)
        const scope = requested.length === 0 ? undefined : requested.join(' ')
        const registered = await registerClient(found, {
          sdk,
          fetch: guarded.fetch,
          settings: client,
          known,
          redirectUrl,
          scopes: requested,
        })
        const state = randomBytes(32).toString('base64url')
        const clientInformation = toClientInformation(registered)
        const { authorizationUrl, codeVerifier } = await sdk.startAuthorization(address, {
          ...(metadata && { metadata }),
          clientInformation,
          redirectUrl,
          ...(scope !== undefined && { scope }),
          state,
          ...(resource !== undefined && { resource }),
        })
        secrets.push(
          state,
          codeVerifier,
          ...(registered.secret === undefined ? [] : [registered.secret]),
        )
        await guarded.check(authorizationUrl)
        const answer = await page.visit(authorizationUrl, { state, signal }).catch(failHere)
        const authorizationCode = readAnswer(answer, { sdk, state, redirectUrl, metadata })
        secrets.push(authorizationCode)
        signal.throwIfAborted()
        const tokens = await sdk.exchangeAuthorization(address, {
          ...(metadata && { metadata }),
          clientInformation,
          authorizationCode,
          codeVerifier,
          redirectUri: redirectUrl,
          ...(resource !== undefined && { resource }),
          // `readAnswer` has compared the issuer of the answer.
          ...(metadata && { iss: metadata.issuer }),
          fetchFn: guarded.fetch,
        })
        const { metadataUrl } = challenge
        const made: Credential = {
          server: url,
          issuer: found.issuer,
          ...(resource !== undefined && { resource }),
          ...(metadataUrl !== undefined && { metadataUrl }),
          client: registered,
          ...(requested.length > 0 && { scopes: requested }),
          ...readTokens(tokens),
        }
        await credentials.change(url, async () => made).catch(failHere)
        held = made
        return toStatus(made)
      } finally {
        await page.close()
      }
    } catch (error) {
      if (signal.aborted) throw signal.reason
      if (failure && error === failure.error) throw error
      throw explainRefusal(sdk, error, {
        what: 'the login failed',
        fix: describeLogin([]),
        secrets,
      }).explained
    }
  }

  /** Asks the server what it requires: without a token it refuses a request, and names its metadata. */
  async function askForChallenge(): Promise<void> {
    const response = await guarded.fetch(server, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    })
    if (response.status === 401) challenge = readChallenge(await loadSdk(), response)
  }

  return {
    fetch: fetchAuthorized,
    logIn,
    logOut: async () => {
      let before: Credential | undefined
      await credentials.change(url, async (current) => {
        before = current
        return undefined
      })
      held = null
      if (!before) return 'not-logged-in'
      const removed = before
      const isRevoked = await revokeTokens(
        removed,
        async () => await findServer(await loadSdk(), removed),
        guarded.fetch,
      )
      return isRevoked ? 'revoked' : 'removed'
    },
    getStatus: async () => {
      const current = await credentials.read(url)
      return current && toStatus(current)
    },
  }
}

function readTokens({
  access_token: accessToken,
  refresh_token: refreshToken,
  expires_in: seconds,
  scope,
}: OAuthTokens): Pick<Credential, 'accessToken' | 'refreshToken' | 'expiresAt' | 'scopes'> {
  return {
    accessToken,
    ...(refreshToken !== undefined && { refreshToken }),
    ...(seconds !== undefined && { expiresAt: Date.now() + seconds * 1000 }),
    ...(scope !== undefined && { scopes: readScopes(scope) }),
  }
}

function getPort(redirectUrl: string | undefined): number | undefined {
  const port = Number(URL.parse(redirectUrl ?? '')?.port)
  return port > 0 ? port : undefined
}
