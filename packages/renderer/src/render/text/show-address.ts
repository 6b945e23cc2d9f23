import { workspacePath } from '@toolblocks/protocol'
import type { RenderContext } from '../render-context.ts'

/** A uri to show: the path in the workspace of a file that is in it, else the uri. */
export function showUri(uri: string, { root }: RenderContext): string {
  return (root === undefined ? undefined : workspacePath(uri, root)) ?? uri
}

/** A path to show: relative to the workspace where it is within. */
export function showPath(path: string, { root }: RenderContext): string {
  if (root === undefined) return path
  const base = root.replace(/\/+$/, '')
  if (path === base) return '.'
  return path.startsWith(`${base}/`) ? path.slice(base.length + 1) : path
}
