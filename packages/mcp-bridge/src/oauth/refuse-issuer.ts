import { AuthorizationError } from '../wire/http-fetch.ts'

/** Says in one line how a person logs in, with the scopes that are missing, or with the issuer that the person accepts by that. */
export type DescribeLogin = (scopes: readonly string[], issuer?: string) => string

/** Refuses the authorization server that a server names, because the configuration or an earlier login names another one. */
export function refuseIssuer(
  named: string,
  expected: string,
  { isConfigured, describeLogin }: { isConfigured: boolean; describeLogin: DescribeLogin },
): AuthorizationError {
  const why = isConfigured
    ? `the configuration names ${quoteIssuer(expected)}`
    : `the login is for ${quoteIssuer(expected)}`
  const accept = isConfigured
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
