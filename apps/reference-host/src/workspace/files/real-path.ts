import { lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path'

/**
 * Returns the path after all links are followed. For a path that does not exist yet, it returns the place where it would be created. `undefined`
 * for a broken link, and for a path that cannot be inspected.
 */
export function findRealPath(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    if (!isMissing || isThere(path) || dirname(path) === path) return undefined
    const folder = findRealPath(dirname(path))
    return folder === undefined ? undefined : join(folder, basename(path))
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

/** Whether a path is a folder or is below it. It compares the texts: no link is followed. */
export function isInFolder(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** Returns the folder that a command works on: the folder it was typed in, even if the script of a clone changed the folder before. */
export function workingFolder(
  current: string,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  const { INIT_CWD: typedIn, npm_package_name: owner, npm_lifecycle_event: script } = environment
  const isOwnScript = owner === 'toolblocks-monorepo' && script === 'toolblocks'
  return isOwnScript && typedIn !== undefined ? typedIn : current
}

/** Formats a path, with its target if it is a link. */
export function showPath(path: string): string {
  const target = findRealPath(path)
  return `${path}${target === path ? '' : target === undefined ? ' (a broken link)' : ` (${target})`}`
}
