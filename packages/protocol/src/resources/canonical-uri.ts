import { MAX_URI_BYTES } from '../limits.ts'
import type { Problem } from '../problem.ts'
import { canonicalFileUri, type PathPlatform, platformOf } from './file-uri.ts'
import { canonicalHttpUri } from './http-uri.ts'
import { type UriProblemCode, uriProblem } from './uri-problem.ts'

/** What came of a uri: its canonical form, or why it has none. */
export type CanonicalUri =
  | { ok: true; uri: string; warning?: Problem<UriProblemCode> }
  | { ok: false; problems: readonly Problem<UriProblemCode>[] }

/** How to read a uri. */
export interface UriOptions {
  /** Whose paths file uris name. Default: as `root` is written, `win32` where it begins with a drive or is a share, else `posix`. */
  platform?: PathPlatform
}

/**
 * Writes a uri in its one canonical form, the name by which resources are compared. Never
 * throws, never looks at the disk, and what it returns it returns again unchanged.
 *
 * - `file`: absolute, ASCII, without `.`, `..`, `//` and trailing `/`; case and Unicode form stay; the fragment counts.
 *   A relative one is a problem: nobody knows what the tool's current directory was.
 * - `http`, `https`: scheme and host in lower case and ASCII, no default port; a user name or password is left out, with
 *   a `warning`; path, query and fragment stay as they were but for the way their characters are encoded.
 * - Any other scheme: byte for byte as it was.
 *
 * `root` is the absolute path of the workspace; on win32 its drive completes a path that names none.
 */
export function canonicalUri(uri: string, root: string, options: UriOptions = {}): CanonicalUri {
  const code = stringProblem(uri)
  if (code) return { ok: false, problems: [uriProblem(code, uri)] }
  const read = canonicalForm(uri, root, options.platform ?? platformOf(root))
  if ('code' in read) return { ok: false, problems: [uriProblem(read.code, uri)] }
  if (read.uri.length > MAX_URI_BYTES) return { ok: false, problems: [uriProblem('too-long', uri)] }
  if (!read.hadUserinfo) return { ok: true, uri: read.uri }
  // The warning shows the canonical form: it must not carry the password on.
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
