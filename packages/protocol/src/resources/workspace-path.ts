import { requireChoices } from '../text/require-choices.ts'
import { requireArguments } from '../text/require-arguments.ts'
import { type UriOptions, canonicalUri, getPlatform, resolvePath } from './canonical-uri.ts'

/**
 * Returns a file URI's path relative to the workspace: decoded, with `/` between the names, `.` for the root itself, never starting with `..`,
 * without the fragment. `undefined` for a file outside the workspace, and for a path that is not text. Use it for display only: a link on the disk
 * may lead outside.
 */
export function toWorkspacePath(
  uri: string,
  root: string,
  options: UriOptions = {},
): string | undefined {
  requireArguments('toWorkspacePath(uri, root, …)', [uri, 'string'], [root, 'string'])
  requireChoices('toWorkspacePath(uri, root, options)', 'options', options, {
    platform: ['posix', 'win32'],
  })
  const canonical = canonicalUri(uri, root, options)
  if (!canonical.ok || !canonical.uri.startsWith('file:')) return undefined
  const path = canonical.uri.slice('file:///'.length).replace(/#.*/, '')
  const segments = path.split('/').filter(Boolean)
  const base = rootSegments(root, options)
  if (!base || base.some((segment, index) => segment !== segments[index])) return undefined
  return decode(segments.slice(base.length).join('/') || '.')
}

function rootSegments(
  root: string,
  { platform = getPlatform(root) }: UriOptions,
): readonly string[] | undefined {
  const path = platform === 'win32' ? `/${root.replaceAll('\\', '/')}` : root
  if (!path.startsWith('/') || !path.isWellFormed()) return undefined
  const encoded = path.replaceAll('%', '%25').replace(/(?<=.)\/+/g, '/')
  const resolved = resolvePath(encoded, root, platform)
  return 'code' in resolved ? undefined : resolved.segments
}

function decode(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}

/** Returns the lines in the fragment of a URI, such as `#L10`, `#L10-20` or `#L10-L20`, as text: `line 10`, `lines 10-20`. */
export function getLineRange(uri: string): string | undefined {
  const match = /#L(\d{1,9})(?:-L?(\d{1,9}))?$/.exec(uri)
  if (!match) return undefined
  const [, first, last = first] = match
  return last === first ? `line ${first}` : `lines ${first}-${last}`
}
