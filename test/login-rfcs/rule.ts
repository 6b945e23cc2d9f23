/** A test that shows a rule. */
interface RuleTest {
  readonly file: string
  readonly title: string
}

/** What an RFC requires of a client, in our words: MUST, MUST NOT, REQUIRED and SHALL. */
export type Rule = readonly [
  section: string,
  rule: string,
  /** The tests that show it, or why it does not apply. */
  by: readonly RuleTest[] | string,
]

const OAUTH = 'packages/mcp-bridge/src/login'

/** Names tests of one file. */
const tests =
  (file: string) =>
  (...titles: readonly string[]): readonly RuleTest[] =>
    titles.map((title) => ({ file, title }))

export const authenticate = tests(`${OAUTH}/authenticate-client.test.ts`)
export const request = tests(`${OAUTH}/authorization-request.test.ts`)
export const discover = tests(`${OAUTH}/discover.test.ts`)
export const guarded = tests(`${OAUTH}/guarded-fetch.test.ts`)
export const hostile = tests(`${OAUTH}/hostile-login.test.ts`)
export const listen = tests(`${OAUTH}/listen-for-redirect.test.ts`)
export const pinned = tests(`${OAUTH}/pinned-issuer.test.ts`)
export const answer = tests(`${OAUTH}/read-answer.test.ts`)
export const tokens = tests(`${OAUTH}/read-tokens.test.ts`)
export const renew = tests(`${OAUTH}/renew-login.test.ts`)
export const login = tests(`${OAUTH}/create-oauth.test.ts`)
export const provider = tests(`${OAUTH}/fetch-with-provider.test.ts`)
export const masked = tests('packages/mcp-bridge/src/masked-secrets.test.ts')
export const command = tests('journeys/promises/mcp-logins.test.ts')

export const ASKED =
  'a person is asked for a code, with the ID, the redirect address, a challenge, a state and the resource'
export const EXCHANGED =
  'a code is sent once, in the body of a POST, with the same redirect address, the resource and the verifier of the challenge'
export const REFRESHED =
  'a refresh token is sent to the authorization server alone, in the body of a POST, and a new one replaces it'
export const QUERY =
  'the query of an address of the authorization server is kept, and no parameter is sent twice'
export const ONE_WAY =
  'a code, a refresh token and a revocation are sent with the secret of the client, in one way'
export const OWN_STATE = 'each login has a state and a verifier of its own'
export const OWN_LOGIN =
  'the answer to one login does not end another: its state and its verifier are used once'
export const CERTIFICATE = guarded('a server whose certificate nobody trusts gets no request')
export const WELL_KNOWN = discover(
  'the metadata is at the well-known address of a server and of an issuer, between host and path, and requested with GET',
)
export const OTHER_ISSUER = hostile(
  'CVE-2026-104850: metadata of an authorization server that names another issuer is refused',
  'CVE-2026-104850: a server that names no authorization server cannot have the issuer of another origin',
)
export const OTHER_RESOURCE = discover(
  'RFC 9728, 3.3: metadata whose resource is %s is refused, and nobody is asked for a token',
  'RFC 9728, 3.3: metadata about a shorter address is refused with both addresses',
)
export const UNKNOWN_METADATA = discover(
  'parameters of metadata that are not understood are ignored',
)
export const ISSUER_ANSWER = hostile(
  'CVE-2026-104850: an answer %s is refused before its code is sent anywhere',
)
export const NO_JWT = 'metadata that is signed is not supported, and the signature is ignored'
export const NO_OPENID = 'no ID token is requested'
export const NO_IMPLICIT = 'no implicit grant'
export const NO_PASSWORD = 'no grant with the password of a person'
