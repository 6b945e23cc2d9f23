import { hash } from 'node:crypto'
import { join } from 'node:path'
import envPaths from 'env-paths'

/** Returns the path of this user's cache file for one workspace, in the platform's cache folder. */
export function cacheFile(kind: string, workspace: string): string {
  return join(cacheFolder(kind), `${getName(workspace)}.json`)
}

/** Returns the path of this user's folder in the platform's cache folder. */
export function cacheFolder(kind: string): string {
  return join(ownFolders().cache, kind)
}

/** Returns the path of this user's file in the platform's settings folder. */
export function settingsFile(name: string): string {
  return join(ownFolders().config, name)
}

/** Returns the path of this user's file in the platform's data folder. */
export function dataFile(name: string): string {
  return join(ownFolders().data, name)
}

/** Read at each call, because tests and people set `XDG_CACHE_HOME` and similar variables. */
function ownFolders(): { cache: string; config: string; data: string } {
  return envPaths('toolblocks', { suffix: '' })
}

function getName(workspace: string): string {
  return hash('sha256', workspace).slice(0, 32)
}
