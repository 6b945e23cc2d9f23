import type { Authenticate, ClientIdentity } from '@toolblocks/mcp-bridge/identity'
import type { JsonObject } from '@toolblocks/protocol'
import { getErrorText } from '@toolblocks/protocol/internal'
import type * as OAuthModule from 'oauth4webapi'

/** Signs people in at an issuer: authorization code with PKCE, and an ID token. */
export interface IssuerSignIn {
  /** The host, for people. */
  name: string
  /** Changes with the settings: who signed in with other ones signs in again. */
  about: string
  /** Returns where the browser goes, and what it keeps until it comes back. */
  begin(redirectUri: string): Promise<{ address: string; kept: JsonObject }>
  /** Returns who has come back. Rejects if the answer is not for what the browser has kept. */
  finish(returned: URL, kept: JsonObject): Promise<ClientIdentity>
  /** Says to a person why it failed. */
  explain(error: unknown): string
}

/** Options of `createIssuerSignIn`. */
export interface IssuerSettings {
  issuer: string
  clientId: string
  clientSecret?: string
  /** What the access token is for. */
  audience: string
  scopes: readonly string[]
  /** The groups that decide anything here. Others are not kept: a cookie has no room for hundreds. */
  groups: readonly string[]
  /** Checks the access token as that of any client, so that the same person has the same identity and the same rights. */
  authenticate: Authenticate
}

/** Milliseconds for one request to the issuer. */
const MAX_MS = 10_000

/** The person, or the issuer, does not allow the sign-in. */
class SignInError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'SignInError'
  }
}

/** Creates the sign-in at an issuer. Its metadata is read with the first one. */
export function createIssuerSignIn(settings: IssuerSettings): IssuerSignIn {
  const { issuer, clientId, clientSecret, audience, scopes, groups, authenticate } = settings
  const client = { client_id: clientId }
  let discovered: Promise<OAuthModule.AuthorizationServer> | undefined

  const options = (oauth: typeof OAuthModule) => ({
    // `loopback` only: a configuration with another http address fails here.
    [oauth.allowInsecureRequests]: isLoopback(issuer),
    signal: AbortSignal.timeout(MAX_MS),
  })

  async function discover(oauth: typeof OAuthModule): Promise<OAuthModule.AuthorizationServer> {
    const url = new URL(issuer)
    for (const algorithm of ['oidc', 'oauth2'] as const) {
      const response = await oauth.discoveryRequest(url, { ...options(oauth), algorithm })
      if (response.status === 404 && algorithm === 'oidc') continue
      return await oauth.processDiscoveryResponse(url, response)
    }
    throw new SignInError(`${issuer} publishes no metadata.`)
  }

  async function getServer(oauth: typeof OAuthModule): Promise<OAuthModule.AuthorizationServer> {
    discovered ??= discover(oauth)
    try {
      return await discovered
    } catch (error) {
      discovered = undefined
      throw error
    }
  }

  function authenticateSelf(
    oauth: typeof OAuthModule,
    { token_endpoint_auth_methods_supported: methods }: OAuthModule.AuthorizationServer,
  ): OAuthModule.ClientAuth {
    if (clientSecret === undefined) return oauth.None()
    const isPosted =
      methods?.includes('client_secret_post') && !methods.includes('client_secret_basic')
    return isPosted ? oauth.ClientSecretPost(clientSecret) : oauth.ClientSecretBasic(clientSecret)
  }

  return {
    name: new URL(issuer).host,
    about: JSON.stringify([issuer, clientId, audience, scopes, groups]),
    begin: async (redirectUri) => {
      const oauth = await import('oauth4webapi')
      const { authorization_endpoint: endpoint } = await getServer(oauth)
      if (endpoint === undefined) throw new SignInError(`${issuer} has no page to sign in.`)
      const state = oauth.generateRandomState()
      const nonce = oauth.generateRandomNonce()
      const verifier = oauth.generateRandomCodeVerifier()
      const address = new URL(endpoint)
      const parameters = {
        client_id: clientId,
        response_type: 'code',
        redirect_uri: redirectUri,
        scope: [...new Set(['openid', ...scopes])].join(' '),
        state,
        nonce,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        resource: audience,
      }
      for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value)
      return { address: address.href, kept: { state, nonce, verifier, redirectUri } }
    },
    finish: async (returned, { state, nonce, verifier, redirectUri }) => {
      const oauth = await import('oauth4webapi')
      const server = await getServer(oauth)
      const answer = oauth.validateAuthResponse(server, client, returned, String(state))
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        authenticateSelf(oauth, server),
        answer,
        String(redirectUri),
        String(verifier),
        { ...options(oauth), additionalParameters: { resource: audience } },
      )
      const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
        expectedNonce: String(nonce),
        requireIdToken: true,
      })
      await oauth.validateApplicationLevelSignature(server, response, options(oauth))
      const checked = await authenticate({ authorization: `Bearer ${tokens.access_token}` })
      if (!checked.ok) throw new SignInError(checked.message)
      const { identity } = checked
      return { ...identity, groups: identity.groups.filter((each) => groups.includes(each)) }
    },
    explain: (error) => {
      if (error instanceof SignInError) return error.message
      const code = error instanceof Error && 'error' in error ? error.error : undefined
      // The code is one of the issuer; its other texts may contain anything.
      const reason = typeof code === 'string' ? code.slice(0, 100) : getErrorText(error)
      return `${new URL(issuer).host} did not sign you in: ${reason}`
    },
  }
}

function isLoopback(address: string): boolean {
  const { protocol, hostname } = new URL(address)
  return protocol === 'http:' && /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname)
}
