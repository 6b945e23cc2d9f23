import { randomBytes } from 'node:crypto'
import { AuthorizationError } from '../wire/http-fetch.ts'
import { rememberSecrets } from '../wire/known-secrets.ts'
import { createClientAuthentication } from './authenticate-client.ts'
import { type Challenge, chooseScopes } from './challenge.ts'
import {
  type Credential,
  type CredentialStore,
  getSecrets,
  type RegisteredClient,
} from './credential.ts'
import { discover, type Discovered } from './discover.ts'
import { explainRefusal } from './explain-refusal.ts'
import type { GuardedFetch } from './guarded-fetch.ts'
import {
  chooseRedirectPath,
  type RedirectPage,
  type WantedRedirect,
} from './listen-for-redirect.ts'
import { loadSdk } from './load-sdk.ts'
import { readAnswer } from './read-answer.ts'
import { checkingTokens, readTokens } from './read-tokens.ts'
import { type OAuthClientSettings, registerClient, toClientInformation } from './register-client.ts'
import { type DescribeLogin, refuseIssuer, refuseSecret } from './refuse-issuer.ts'

/** Options of one login. */
export interface LoginOptions {
  /** Opens the page to which the authorization server sends the browser back. It is closed when the login is over. */
  readonly openPage: (wanted: WantedRedirect) => Promise<RedirectPage>
  /** Scopes in addition to those of `OAuthOptions`. */
  readonly scopes?: readonly string[]
  /** The authorization server that the person accepts, in place of that of an earlier login. `OAuthOptions.issuer` counts more. */
  readonly issuer?: string
  readonly signal?: AbortSignal
}

/** What a login needs besides its options. */
export interface LoginAddresses {
  readonly server: URL
  /** The URL under which the login is kept. */
  readonly url: string
  readonly credentials: CredentialStore
  readonly client: OAuthClientSettings
  readonly scopes: readonly string[]
  /** The issuer of the configuration. */
  readonly issuer: string | undefined
  readonly guarded: GuardedFetch
  readonly describeLogin: DescribeLogin
  /** Returns what the server has said in a refusal, and asks it if it has not said anything yet. */
  getChallenge(fetch: GuardedFetch['fetch']): Promise<Challenge>
}

const NEVER = new AbortController().signal

/** A login that has begun: what finishing it needs. It is JSON, and secret. */
export interface BegunLogin {
  /** What the answer must have: it identifies the login. */
  readonly state: string
  /** Proves to the authorization server who has begun (PKCE). */
  readonly codeVerifier: string
  /** Where the browser is sent afterwards. */
  readonly redirectUrl: string
  /** How the authorization server knows this program. */
  readonly client: RegisteredClient
  /** The scopes that were requested. */
  readonly scopes: readonly string[]
  /** The authorization server, and the resource that tokens are for. */
  readonly discovered: Pick<Discovered, 'address' | 'issuer' | 'metadata' | 'resource'>
  /** The address of the server's metadata, if the server has named it. */
  readonly metadataUrl?: string
}

/** Lets a person log in, and keeps the login. Rejects with an `AuthorizationError`, the reason of the signal, or what the page or the store threw. */
export async function performLogin(
  { openPage, ...options }: LoginOptions,
  loginPlace: LoginAddresses,
): Promise<Credential> {
  const { server } = loginPlace
  const { signal = NEVER } = options
  return await explaining(options, loginPlace, async (steps) => {
    let page: RedirectPage | undefined
    try {
      const { address, begun } = await begin(options, loginPlace, async (wanted) => {
        page = await openPage(wanted).catch(steps.failHere)
        return page.redirectUrl
      })
      const { state, discovered } = begun
      const login = { state, signal, server, issuer: discovered.issuer }
      const answer = await page?.visit(address, login).catch(steps.failHere)
      return await finish(begun, answer ?? '', { signal, loginPlace, steps })
    } finally {
      await page?.close()
    }
  })
}

/** Begins a login that any process finishes: returns the address that a person opens, and what finishing it needs. `getRedirectUrl` returns where the browser is sent afterwards. */
export async function beginLogin(
  options: Omit<LoginOptions, 'openPage'>,
  loginPlace: LoginAddresses,
  getRedirectUrl: (wanted: WantedRedirect) => string,
): Promise<{ address: URL; begun: BegunLogin }> {
  return await explaining(
    options,
    loginPlace,
    async () => await begin(options, loginPlace, async (wanted) => getRedirectUrl(wanted)),
  )
}

/** Finishes a login with the address to which the browser was sent, and keeps it. */
export async function finishLogin(
  begun: BegunLogin,
  answer: string,
  { signal = NEVER, loginPlace }: { signal?: AbortSignal; loginPlace: LoginAddresses },
): Promise<Credential> {
  return await explaining(
    { signal },
    loginPlace,
    async (steps) => await finish(begun, answer, { signal, loginPlace, steps }),
  )
}

/** What failed here, at the page or at the store, and not at the authorization server. */
interface LoginSteps {
  failHere(error: unknown): never
}

/** Explains why a step of a login has failed. */
async function explaining<Value>(
  { signal = NEVER }: Pick<LoginOptions, 'signal'>,
  { server, describeLogin }: LoginAddresses,
  work: (steps: LoginSteps) => Promise<Value>,
): Promise<Value> {
  let failure: { error: unknown } | undefined
  const failHere = (error: unknown): never => {
    failure = { error }
    throw error
  }
  try {
    return await work({ failHere })
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (failure && error === failure.error) throw error
    throw explainRefusal(await loadSdk(), error, {
      what: 'the login failed',
      fix: describeLogin([]),
      origin: server.origin,
    }).explained
  }
}

async function begin(
  { scopes = [], issuer: accepted, signal = NEVER }: Omit<LoginOptions, 'openPage'>,
  loginPlace: LoginAddresses,
  getRedirectUrl: (wanted: WantedRedirect) => Promise<string>,
): Promise<{ address: URL; begun: BegunLogin }> {
  const { server, url, credentials, client, guarded, describeLogin } = loginPlace
  const sdk = await loadSdk()
  const before = await credentials.read(url)
  rememberSecrets(server.origin, [client.secret])
  if (before) rememberSecrets(server.origin, getSecrets(before), { isIssued: true })
  const send: GuardedFetch['fetch'] = async (to, init) =>
    await guarded.fetch(to, { ...init, signal })
  const challenge = await loginPlace.getChallenge(send)
  const metadataUrl = challenge.metadataUrl ?? before?.metadataUrl
  const expected = loginPlace.issuer ?? accepted ?? before?.issuer
  const discovered = await discover(server, {
    sdk,
    fetch: send,
    metadataUrl,
    expected,
    refuse: (named) =>
      refuseIssuer(named, expected ?? '', {
        source:
          loginPlace.issuer !== undefined
            ? 'configuration'
            : accepted !== undefined
              ? 'person'
              : 'login',
        describeLogin,
      }),
  })
  const { metadata, resource, address } = discovered
  if (client.secret !== undefined && expected === undefined)
    throw refuseSecret(discovered.issuer, describeLogin)
  if (metadata && metadata.code_challenge_methods_supported === undefined)
    throw new AuthorizationError('the authorization server does not support PKCE', {
      fix: 'Ask the operator of the server.',
    })
  const isKnown = before?.issuer === discovered.issuer && before.unusable === undefined
  const known = isKnown ? before.client : undefined
  const port = client.redirectPort ?? getPort(known?.redirectUrl)
  const path = chooseRedirectPath(discovered, client)
  const redirectUrl = await getRedirectUrl({
    path,
    ...(port !== undefined && { port, isRequired: client.redirectPort !== undefined }),
  })
  const isNamed = metadata?.authorization_response_iss_parameter_supported === true
  if (!isNamed && !new URL(redirectUrl).pathname.endsWith(path))
    throw new AuthorizationError(
      `the redirect address ${JSON.stringify(redirectUrl)} does not end with ${JSON.stringify(path)}, which is for this authorization server`,
      { fix: 'Use the path that openPage receives.' },
    )
  const requested = chooseScopes([...loginPlace.scopes, ...scopes, ...challenge.scopes], discovered)
  const scope = requested.length === 0 ? undefined : requested.join(' ')
  const registered = await registerClient(discovered, {
    sdk,
    fetch: send,
    settings: client,
    known,
    redirectUrl,
    scopes: requested,
  })
  const state = randomBytes(32).toString('base64url')
  const { authorizationUrl, codeVerifier } = await sdk.startAuthorization(address, {
    ...(metadata && { metadata }),
    clientInformation: toClientInformation(registered),
    redirectUrl,
    ...(scope !== undefined && { scope }),
    state,
    ...(resource !== undefined && { resource }),
  })
  rememberSecrets(server.origin, [state, codeVerifier])
  rememberSecrets(server.origin, [registered.secret], { isIssued: true })
  // The SDK adds the parameter to one that the address has already (RFC 6749, 3.1).
  if (authorizationUrl.searchParams.has('prompt', 'consent'))
    authorizationUrl.searchParams.set('prompt', 'consent')
  await guarded.check(authorizationUrl)
  const { issuer } = discovered
  return {
    address: authorizationUrl,
    begun: {
      state,
      codeVerifier,
      redirectUrl,
      client: registered,
      scopes: requested,
      discovered: {
        address,
        issuer,
        ...(metadata && { metadata }),
        ...(resource !== undefined && { resource }),
      },
      ...(challenge.metadataUrl !== undefined && { metadataUrl: challenge.metadataUrl }),
    },
  }
}

async function finish(
  { state, codeVerifier, redirectUrl, client, scopes, discovered, metadataUrl }: BegunLogin,
  answer: string,
  {
    signal,
    loginPlace,
    steps,
  }: { signal: AbortSignal; loginPlace: LoginAddresses; steps: LoginSteps },
): Promise<Credential> {
  const { server, url, credentials, guarded } = loginPlace
  const { metadata, resource, issuer, address } = discovered
  const sdk = await loadSdk()
  rememberSecrets(server.origin, [state, codeVerifier])
  rememberSecrets(server.origin, [client.secret], { isIssued: true })
  const authorizationCode = readAnswer(answer, { sdk, state, redirectUrl, metadata, issuer })
  rememberSecrets(server.origin, [authorizationCode], { isIssued: true })
  signal.throwIfAborted()
  const tokens = await sdk.exchangeAuthorization(address, {
    ...(metadata && { metadata }),
    clientInformation: toClientInformation(client),
    addClientAuthentication: createClientAuthentication(
      sdk,
      client,
      metadata?.token_endpoint_auth_methods_supported,
    ),
    authorizationCode,
    codeVerifier,
    redirectUri: redirectUrl,
    ...(resource !== undefined && { resource }),
    // `readAnswer` has compared the issuer of the answer.
    ...(metadata && { iss: metadata.issuer }),
    fetchFn: checkingTokens(async (to, init) => await guarded.fetch(to, { ...init, signal })),
  })
  const made: Credential = {
    server: url,
    issuer,
    ...(resource !== undefined && { resource }),
    ...(metadataUrl !== undefined && { metadataUrl }),
    client,
    ...(scopes.length > 0 && { scopes }),
    ...readTokens(tokens),
  }
  rememberSecrets(server.origin, getSecrets(made), { isIssued: true })
  await credentials.change(url, async () => made, signal).catch(steps.failHere)
  return made
}

function getPort(redirectUrl: string | undefined): number | undefined {
  const port = Number(URL.parse(redirectUrl ?? '')?.port)
  return port > 0 ? port : undefined
}
