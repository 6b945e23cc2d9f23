import { httpEncoding, isPercentEncoded, normalizePercent } from './percent-encoding.ts'
import type { UriProblemCode } from './uri-problem.ts'

const defaultPorts = { http: 80, https: 443 } as const

/** Writes an http(s) uri in its one normal way; `body` is what follows `http:` or `https:`. */
export function canonicalHttpUri(
  scheme: 'http' | 'https',
  body: string,
): { uri: string; hadUserinfo: boolean } | { code: UriProblemCode } {
  const [, authority, path = '', query = '', fragment = ''] =
    /^\/\/([^/?#]*)([^?#]*)(\?[^#]*)?(?:#(.*))?$/s.exec(body) ?? []
  if (authority === undefined) return { code: 'authority' }
  if (`${authority}${path}`.includes('\\')) return { code: 'backslash' }
  if (![path, query, fragment].every(isPercentEncoded)) return { code: 'bad-percent' }

  const userinfo = authority.lastIndexOf('@')
  const host = canonicalHost(authority.slice(userinfo + 1), defaultPorts[scheme])
  if (host === undefined) return { code: 'authority' }
  const location = normalizePercent(`${path || '/'}${query}`, httpEncoding)
  const suffix = fragment && `#${normalizePercent(fragment, httpEncoding)}`
  return { uri: `${scheme}://${host}${location}${suffix}`, hadUserinfo: userinfo >= 0 }
}

function canonicalHost(authority: string, defaultPort: number): string | undefined {
  const [, name, digits] = /^(\[[0-9A-Fa-f:.]+\]|[^[\]:%]+)(?::(\d*))?$/.exec(authority) ?? []
  // URL is trusted with the host alone: lower case, punycode, the one spelling of an IP address.
  if (name === undefined || !URL.canParse(`http://${name}/`)) return undefined
  const { hostname } = new URL(`http://${name}/`)
  const port = digits ? Number(digits) : defaultPort
  if (port > 65_535) return undefined
  return port === defaultPort ? hostname : `${hostname}:${port}`
}
