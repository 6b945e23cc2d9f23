import { randomBytes } from 'node:crypto'
import { AuthorizationError } from '../wire/http-fetch.ts'
import { rememberSecrets } from '../wire/known-secrets.ts'
import { createClientAuthentication } from './authenticate-client.ts'
import { type Challenge, chooseScopes } from './challenge.ts'
import { type Credential, type CredentialStore, getSecrets } from './credential.ts'
import { discover } from './discover.ts'
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
interface LoginAddresses {
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

/** Lets a person log in, and keeps the login. Rejects with an `AuthorizationError`, the reason of the signal, or what the page or the store threw. */
export async function performLogin(
  { openPage, scopes = [], issuer: accepted, signal = NEVER }: LoginOptions,
  loginPlace: LoginAddresses,
): Promise<Credential> {
  const { server, url, credentials, client, guarded, describeLogin } = loginPlace
  const sdk = await loadSdk()
  const before = await credentials.read(url)
  /** Secrets that this program or its user has chosen. */
  const rememberOwn = (...secrets: (string | undefined)[]): void =>
    rememberSecrets(server.origin, secrets)
  const rememberIssued = (...secrets: (string | undefined)[]): void =>
    rememberSecrets(server.origin, secrets, { isIssued: true })
  rememberOwn(client.secret)
  if (before) rememberIssued(...getSecrets(before))
  /** What failed here, at the page or at the store, and not at the authorization server. */
  let failure: { error: unknown } | undefined
  const failHere = (error: unknown): never => {
    failure = { error }
    throw error
  }
  const send: GuardedFetch['fetch'] = async (to, init) =>
    await guarded.fetch(to, { ...init, signal })
  try {
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
    const page = await openPage({
      path,
      ...(port !== undefined && { port, isRequired: client.redirectPort !== undefined }),
    }).catch(failHere)
    try {
      const { redirectUrl } = page
      const isNamed = metadata?.authorization_response_iss_parameter_supported === true
      if (!isNamed && !new URL(redirectUrl).pathname.endsWith(path))
        throw new AuthorizationError(
          `the redirect address ${JSON.stringify(redirectUrl)} does not end with ${JSON.stringify(path)}, which is for this authorization server`,
          { fix: 'Use the path that openPage receives.' },
        )
      const requested = chooseScopes(
        [...loginPlace.scopes, ...scopes, ...challenge.scopes],
        discovered,
      )
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
      const clientInformation = toClientInformation(registered)
      const { authorizationUrl, codeVerifier } = await sdk.startAuthorization(address, {
        ...(metadata && { metadata }),
        clientInformation,
        redirectUrl,
        ...(scope !== undefined && { scope }),
        state,
        ...(resource !== undefined && { resource }),
      })
      rememberOwn(state, codeVerifier)
      rememberIssued(registered.secret)
      // The SDK adds the parameter to one that the address has already (RFC 6749, 3.1).
      if (authorizationUrl.searchParams.has('prompt', 'consent'))
        authorizationUrl.searchParams.set('prompt', 'consent')
      await guarded.check(authorizationUrl)
      const login = { state, signal, server, issuer: discovered.issuer }
      const answer = await page.visit(authorizationUrl, login).catch(failHere)
      const authorizationCode = readAnswer(answer, {
        sdk,
        state,
        redirectUrl,
        metadata,
        issuer: discovered.issuer,
      })
      rememberIssued(authorizationCode)
      signal.throwIfAborted()
      const tokens = await sdk.exchangeAuthorization(address, {
        ...(metadata && { metadata }),
        clientInformation,
        addClientAuthentication: createClientAuthentication(
          sdk,
          registered,
          metadata?.token_endpoint_auth_methods_supported,
        ),
        authorizationCode,
        codeVerifier,
        redirectUri: redirectUrl,
        ...(resource !== undefined && { resource }),
        // `readAnswer` has compared the issuer of the answer.
        ...(metadata && { iss: metadata.issuer }),
        fetchFn: checkingTokens(send),
      })
      const made: Credential = {
        server: url,
        issuer: discovered.issuer,
        ...(resource !== undefined && { resource }),
        ...(challenge.metadataUrl !== undefined && { metadataUrl: challenge.metadataUrl }),
        client: registered,
        ...(requested.length > 0 && { scopes: requested }),
        ...readTokens(tokens),
      }
      rememberIssued(...getSecrets(made))
      await credentials.change(url, async () => made, signal).catch(failHere)
      return made
    } finally {
      await page.close()
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (failure && error === failure.error) throw error
    throw explainRefusal(sdk, error, {
      what: 'the login failed',
      fix: describeLogin([]),
      origin: server.origin,
    }).explained
  }
}

function getPort(redirectUrl: string | undefined): number | undefined {
  const port = Number(URL.parse(redirectUrl ?? '')?.port)
  return port > 0 ? port : undefined
}
