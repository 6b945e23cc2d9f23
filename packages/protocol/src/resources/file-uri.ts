import {
  fragmentEncoding,
  isPercentEncoded,
  normalizePercent,
  segmentEncoding,
} from './percent-encoding.ts'
import type { UriProblemCode } from './uri-problem.ts'

/** Whose paths a file uri names. */
export type PathPlatform = 'posix' | 'win32'

type Path = { segments: readonly string[] } | { code: UriProblemCode }

/** Writes a file uri in its one normal way, without looking at the disk; `body` is what follows `file:`. */
export function canonicalFileUri(
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

  const path = resolvePath(pathOf(location), root, platform)
  if ('code' in path) return path
  const drive = path.segments.length === 1 && platform === 'win32' ? '/' : ''
  const suffix = fragment && `#${normalizePercent(fragment, fragmentEncoding)}`
  return { uri: `file:///${path.segments.join('/')}${drive}${suffix}` }
}

/** Whose path an absolute path is: of Windows where it begins with a drive, or names a share. */
export function platformOf(path: string): PathPlatform {
  return /^(?:[A-Za-z]:[\\/]|\\\\)/.test(path) ? 'win32' : 'posix'
}

/** Splits an absolute path into percent-encoded segments without `.`, `..` and empty ones. */
export function resolvePath(path: string, root: string, platform: PathPlatform): Path {
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
  const path = pathOf(location)
  if (path === '') return 'no-path'
  return path.startsWith('/') ? undefined : 'relative'
}

function pathOf(location: string): string {
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

// POSIX drops empty segments before it resolves "..", WHATWG lets ".." remove one: where that differs, nobody is right.
function resolveSegments(segments: readonly string[]): Path {
  const kept: string[] = []
  for (const segment of segments) {
    if (segment === '.') continue
    if (segment !== '..') kept.push(segment)
    else if (kept.pop() === '' && kept.some(Boolean)) return { code: 'ambiguous-empty-segment' }
  }
  return { segments: kept.filter(Boolean) }
}

function resolveOnDrive(segments: readonly string[], root: string): Path {
  const first = segments[0] ?? ''
  if (/^[A-Za-z]:./.test(first)) return { code: 'relative' }
  const named = /^([A-Za-z])(?::|%7C)$/.exec(first)?.[1]
  const drive = named ?? /^([A-Za-z]):/.exec(root)?.[1]
  if (drive === undefined) return { code: 'no-drive' }
  const rest = resolveSegments(named === undefined ? segments : segments.slice(1))
  return 'code' in rest ? rest : { segments: [`${drive.toUpperCase()}:`, ...rest.segments] }
}
