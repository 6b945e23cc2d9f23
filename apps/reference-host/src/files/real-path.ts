import { lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

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
