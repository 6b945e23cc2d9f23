import { workspacePath } from '@toolblocks/protocol'

/** How something at a uri is called, and where it is if that says something else. */
export interface Address {
  name: string
  place: string | undefined
}

/**
 * Title, else name, else path in the workspace, else uri. The path or uri is there in any case: a title may say anything.
 */
export function showAddress(
  { uri, title, name }: { uri: string; title?: string; name?: string },
  root: string | undefined,
): Address {
  const place = (root === undefined ? undefined : workspacePath(uri, root)) ?? uri
  const said = [title, name].find((text) => text !== undefined && text.trim() !== '')
  return said === undefined || said === place
    ? { name: place, place: undefined }
    : { name: said, place }
}

/** A path to show: relative to the workspace where it is within. */
export function showPath(path: string, root: string | undefined): string {
  if (root === undefined) return path
  const base = root.replace(/\/+$/, '')
  if (path === base) return '.'
  return path.startsWith(`${base}/`) ? path.slice(base.length + 1) : path
}
