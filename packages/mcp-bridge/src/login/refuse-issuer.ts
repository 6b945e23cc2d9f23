import { AuthorizationError } from '../wire/http-fetch.ts'

/** Says in one line how a person logs in, with the scopes that are missing, or with the issuer that the person accepts by that. */
export type DescribeLogin = (scopes: readonly string[], issuer?: string) => string

/** What has named the issuer that a login is for: the configuration, the person for this login, or an earlier login. */
export type IssuerSource = 'configuration' | 'person' | 'login'

const SOURCES: Readonly<Record<IssuerSource, string>> = {
  configuration: 'the configuration names',
  person: 'you have accepted',
  login: 'the login is for',
}

/** Refuses the authorization server that a server names, because another one was expected. */
export function refuseIssuer(
  named: string,
  expected: string,
  { source, describeLogin }: { source: IssuerSource; describeLogin: DescribeLogin },
): AuthorizationError {
  const why = `${SOURCES[source]} ${quoteIssuer(expected)}`
  const accept =
    source === 'configuration'
      ? `write it in the configuration: oauth = { issuer = ${quoteIssuer(named)} }`
      : `accept it. ${describeLogin([], named)}`
  return new AuthorizationError(
    `the server names the authorization server ${quoteIssuer(named)}, but ${why}`,
    { fix: `If you know the new one and trust it, ${accept}` },
  )
}

/** Refuses to send a configured secret to an authorization server that only the MCP server has named. */
export function refuseSecret(named: string, describeLogin: DescribeLogin): AuthorizationError {
  return new AuthorizationError(
    `the server names the authorization server ${quoteIssuer(named)}, and the configuration does not say that client_secret is for it`,
    {
      fix: `If you have the secret from there, write it in the configuration: oauth = { issuer = ${quoteIssuer(named)} }, or accept it for this login. ${describeLogin([], named)}`,
    },
  )
}

/** Quotes the name of an issuer, which comes from a server. */
function quoteIssuer(issuer: string): string {
  return JSON.stringify(issuer.slice(0, 200))
}
