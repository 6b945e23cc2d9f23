import { lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import type { IsBelow } from './allows-call.ts'

/** Tells where paths lead in the workspace at `root`; what is not there yet counts where it would be made. */
export function createIsBelow(root: string): IsBelow {
  return (path, folder) => {
    // Behind a link, `..` leads elsewhere than it reads.
    if (path.split(/[\\/]/).includes('..')) return false
    const place = follow(resolve(root, path))
    const from = follow(resolve(root, folder))
    if (place === undefined || from === undefined) return false
    const way = relative(from, place)
    return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
  }
}

/** `undefined` for a link that leads nowhere, and for what cannot be looked at. */
function follow(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    if (!isMissing || isThere(path) || dirname(path) === path) return undefined
    const folder = follow(dirname(path))
    return folder === undefined ? undefined : join(folder, basename(path))
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}
