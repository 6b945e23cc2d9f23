import { lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path'

/**
 * Where a path leads once every link is followed; what does not exist yet counts where it would be made. `undefined` for a link
 * that leads nowhere, and for what cannot be looked at.
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

/** Whether a path is a folder or stands below it, as both are written: no link is followed. */
export function liesBelow(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** The folder a command works on: where it was typed, also where the script of a clone changed the folder before it ran. */
export function workingFolder(
  current: string,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  const { INIT_CWD: typedIn, npm_package_name: owner, npm_lifecycle_event: script } = environment
  const isOwnScript = owner === 'toolblocks-monorepo' && script === 'toolblocks'
  return isOwnScript && typedIn !== undefined ? typedIn : current
}
