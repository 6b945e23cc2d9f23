import { requireChoices } from '../text/require-choices.ts'
import { requireArguments } from '../text/require-arguments.ts'
import type { Problem } from '../json/problem.ts'
import { MAX_URI_BYTES } from '../limits/limits.ts'

/** The canonical form of a URI, or the reason why it has none. */
export type CanonicalUri =
  | { ok: true; uri: string; warning?: Problem<UriProblemCode> }
  | { ok: false; problems: readonly Problem<UriProblemCode>[] }

/** How to read a URI. */
export interface UriOptions {
  /** The platform of file URIs. Default: from `root`: `win32` if it starts with a drive or is a share, else `posix`. */
  platform?: PathPlatform
}

/**
 * Converts a URI into its one canonical form, by which resources are compared. Never throws and never reads the disk. A canonical form converts to
 * itself.
 *
 * - `file`: absolute, ASCII, without `.`, `..`, `//` and trailing `/`. Case and Unicode form stay. The fragment counts.
 * A relative one is a problem, because the tool's current directory is unknown.
 * - `http`, `https`: scheme and host in lower case and ASCII, no default port. A user name or password is removed, with
 * a `warning`. Path, query and fragment only change the encoding of their characters.
 * - Any other scheme: unchanged, byte for byte.
 *
 * `root` is the absolute path of the workspace. On win32, its drive completes a path without one.
 */
export function canonicalUri(uri: string, root: string, options: UriOptions = {}): CanonicalUri {
  requireArguments('canonicalUri(uri, root, …)', [uri, 'string'], [root, 'string'])
  requireChoices('canonicalUri(uri, root, options)', 'options', options, {
    platform: ['posix', 'win32'],
  })
  const code = stringProblem(uri)
  if (code) return { ok: false, problems: [uriProblem(code, uri)] }
  const read = canonicalForm(uri, root, options.platform ?? getPlatform(root))
  if ('code' in read) return { ok: false, problems: [uriProblem(read.code, uri)] }
  if (read.uri.length > MAX_URI_BYTES) return { ok: false, problems: [uriProblem('too-long', uri)] }
  if (!read.hadUserinfo) return { ok: true, uri: read.uri }
  // The warning shows the canonical form, so that it does not contain the password.
  return { ok: true, uri: read.uri, warning: uriProblem('userinfo', read.uri) }
}

function canonicalForm(
  uri: string,
  root: string,
  platform: PathPlatform,
): { uri: string; hadUserinfo?: boolean } | { code: UriProblemCode } {
  const colon = uri.indexOf(':')
  const scheme = uri.slice(0, colon).toLowerCase()
  const body = uri.slice(colon + 1)
  if (scheme === 'file') return canonicalFileUri(body, root, platform)
  if (scheme === 'http' || scheme === 'https') return canonicalHttpUri(scheme, body)
  return { uri }
}

function stringProblem(uri: string): UriProblemCode | undefined {
  if (uri.length > MAX_URI_BYTES) return 'too-long'
  if (!uri.isWellFormed()) return 'lone-surrogate'
  if (new TextEncoder().encode(uri).length > MAX_URI_BYTES) return 'too-long'
  if (uri.trim() !== uri) return 'surrounding-whitespace'
  // oxlint-disable-next-line no-control-regex -- they are what is refused
  if (/[\u0000-\u001F\u007F-\u009F]/.test(uri)) return 'control-char'
  // One letter and a slash is a drive, not a scheme.
  return /^(?![A-Za-z]:[\\/])[A-Za-z][A-Za-z0-9+.-]*:/.test(uri) ? undefined : 'not-a-uri'
}

/** The platform of a file URI's path. */
export type PathPlatform = 'posix' | 'win32'

type ReadUriPath = { segments: readonly string[] } | { code: UriProblemCode }

/** Converts a file URI into its normal form, without reading the disk. `body` is the text after `file:`. */
function canonicalFileUri(
  body: string,
  root: string,
  platform: PathPlatform,
): { uri: string } | { code: UriProblemCode } {
  const hash = body.includes('#') ? body.indexOf('#') : body.length
  const location =
    platform === 'win32' ? body.slice(0, hash).replaceAll('\\', '/') : body.slice(0, hash)
  const fragment = body.slice(hash + 1)
  const code = locationProblem(location) ?? encodingProblem(location, fragment, platform)
  if (code) return { code }

  const path = resolvePath(getPath(location), root, platform)
  if ('code' in path) return path
  const drive = path.segments.length === 1 && platform === 'win32' ? '/' : ''
  const suffix = fragment && `#${normalizePercent(fragment, fragmentEncoding)}`
  return { uri: `file:///${path.segments.join('/')}${drive}${suffix}` }
}

/** Returns the platform of an absolute path: Windows if it starts with a drive, or is a share. */
export function getPlatform(path: string): PathPlatform {
  return /^(?:[A-Za-z]:[\\/]|\\\\)/.test(path) ? 'win32' : 'posix'
}

/** Splits an absolute path into percent-encoded segments without `.`, `..` and empty ones. */
export function resolvePath(path: string, root: string, platform: PathPlatform): ReadUriPath {
  const segments = path
    .slice(1)
    .split('/')
    .map((segment) => normalizePercent(segment, segmentEncoding))
  if (platform === 'posix') return resolveSegments(segments)
  return path.startsWith('//') ? { code: 'unc' } : resolveOnDrive(segments, root)
}

function locationProblem(location: string): UriProblemCode | undefined {
  if (location.includes('\\')) return 'backslash'
  if (location.includes('?')) return 'query'
  const authority = /^\/\/([^/]*)/.exec(location)?.[1]
  if (authority && authority.toLowerCase() !== 'localhost') return 'authority'
  const path = getPath(location)
  if (path === '') return 'no-path'
  return path.startsWith('/') ? undefined : 'relative'
}

function getPath(location: string): string {
  return location.replace(/^\/\/[^/]*/, '')
}

function encodingProblem(
  location: string,
  fragment: string,
  platform: PathPlatform,
): UriProblemCode | undefined {
  if (!isPercentEncoded(location) || !isPercentEncoded(fragment)) return 'bad-percent'
  if (location.includes('%00') || fragment.includes('%00')) return 'nul'
  if (/%2f/i.test(location)) return 'encoded-slash'
  return platform === 'win32' && /%5c/i.test(location) ? 'encoded-backslash' : undefined
}

// POSIX removes empty segments before it resolves "..", and WHATWG lets ".." remove one. If the results differ, neither is right.
function resolveSegments(segments: readonly string[]): ReadUriPath {
  const kept: string[] = []
  for (const segment of segments) {
    if (segment === '.') continue
    if (segment !== '..') kept.push(segment)
    else if (kept.pop() === '' && kept.some(Boolean)) return { code: 'ambiguous-empty-segment' }
  }
  return { segments: kept.filter(Boolean) }
}

function resolveOnDrive(segments: readonly string[], root: string): ReadUriPath {
  const first = segments[0] ?? ''
  if (/^[A-Za-z]:./.test(first)) return { code: 'relative' }
  const named = /^([A-Za-z])(?::|%7C)$/.exec(first)?.[1]
  const drive = named ?? /^([A-Za-z]):/.exec(root)?.[1]
  if (drive === undefined) return { code: 'no-drive' }
  const rest = resolveSegments(named === undefined ? segments : segments.slice(1))
  return 'code' in rest ? rest : { segments: [`${drive.toUpperCase()}:`, ...rest.segments] }
}

const defaultPorts = { http: 80, https: 443 } as const

/** Converts an http(s) URI into its normal form. `body` is the text after `http:` or `https:`. */
function canonicalHttpUri(
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
  // `URL` is used only for the host: lower case, punycode, the one spelling of an IP address.
  if (name === undefined || !URL.canParse(`http://${name}/`)) return undefined
  const { hostname } = new URL(`http://${name}/`)
  const port = digits ? Number(digits) : defaultPort
  if (port > 65_535) return undefined
  return port === defaultPort ? hostname : `${hostname}:${port}`
}

/** The messages of URI problems, by code. */
const messages = {
  'ambiguous-empty-segment':
    '".." follows an empty segment ("//"), which readers resolve differently; write the path without "//"',
  authority:
    'the host is not valid; a file uri has no host or localhost, other uris have a plain host and port',
  backslash: 'a backslash is not part of a uri; write "/" for a separator, or %5C',
  'bad-percent': '"%" needs two hexadecimal digits after it; write %25 for the character itself',
  'control-char': 'a control character is not part of a uri; percent-encode it',
  'encoded-backslash': '%5C would be a path separator on Windows; write "/"',
  'encoded-slash':
    '%2F would be a "/" inside a file name, which is not possible; write "/" for a separator',
  'lone-surrogate': 'half of a surrogate pair is not a character and has no encoding',
  'no-drive':
    'the path names no drive and the workspace root gives none; start it with one, as in file:///C:/',
  'no-path': 'there is no path; give an absolute one, as in file:///a/b',
  'not-a-uri': 'there is no scheme; an absolute path becomes a uri with file:// in front',
  nul: '%00 cannot be part of a path',
  query: '"?" starts a query, which files do not have; write %3F for the character itself',
  relative: 'the path is relative; give an absolute one, as in file:///a/b',
  'surrounding-whitespace': 'there is white space before or after the uri; remove it',
  'too-long': 'the uri has more than 8 KiB, or would have in its canonical form',
  unc: 'a path on another machine ("//server/share") has no identity here; use a mapped drive',
  userinfo:
    'a user name or password is not part of a canonical uri and was removed; keep secrets out of uris',
} as const

/** The codes of URI problems. */
export const URI_PROBLEM_CODES: readonly string[] = Object.keys(messages)

/** Why a URI has no canonical form, or (`userinfo`) what was removed from it: the `code` of its `Problem`. */
type UriProblemCode = keyof typeof messages

/** Creates the problem of a URI. */
function uriProblem(code: UriProblemCode, uri: string): Problem<UriProblemCode> {
  return { path: '', code, message: messages[code], got: JSON.stringify(uri.slice(0, 100)) }
}

const unreserved = `A-Za-z0-9\\-._~`

const subDelimiters = `!$&'()*+,;=`

/** How to encode a part of a URI: which characters may be literal, and which of them are never encoded. */
interface PercentEncoding {
  readonly literal: RegExp
  readonly decoded: RegExp
}

/** One segment of a file's path: every character that may be literal is literal. */
const segmentEncoding: PercentEncoding = encoding(
  `${unreserved}${subDelimiters}:@`,
  `${unreserved}${subDelimiters}:@`,
)

/** The fragment of a file URI: like a segment, but `/` and `?` are not separators. */
const fragmentEncoding: PercentEncoding = encoding(
  `${unreserved}${subDelimiters}:@/?`,
  `${unreserved}${subDelimiters}:@/?`,
)

/** Everything after the host of an http URI: only characters without another meaning are decoded. */
const httpEncoding: PercentEncoding = encoding(
  `${unreserved}${subDelimiters}:@/?\\[\\]`,
  unreserved,
)

/** Whether every `%` of a text starts a percent-encoded byte. */
function isPercentEncoded(text: string): boolean {
  return !/%(?![0-9A-Fa-f]{2})/.test(text)
}

/** Converts a percent-encoded text into its normal form: ASCII, upper-case digits. The text must be valid. */
function normalizePercent(text: string, { literal, decoded }: PercentEncoding): string {
  return text.replace(/%..|[^%]/gu, (part) => {
    if (!part.startsWith('%')) return literal.test(part) ? part : encodeURIComponent(part)
    const character = String.fromCharCode(Number.parseInt(part.slice(1), 16))
    return decoded.test(character) ? character : part.toUpperCase()
  })
}

function encoding(literal: string, decoded: string): PercentEncoding {
  return { literal: new RegExp(`^[${literal}]$`), decoded: new RegExp(`^[${decoded}]$`) }
}
