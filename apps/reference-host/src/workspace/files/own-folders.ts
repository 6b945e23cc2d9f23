import { hash } from 'node:crypto'
import { join } from 'node:path'
import envPaths from 'env-paths'

/** A file of this user for one workspace, in the platform's folder for what can be made again. */
export function cacheFile(kind: string, workspace: string): string {
  return join(cacheFolder(kind), `${getName(workspace)}.json`)
}

/** A folder of this user, in the platform's folder for what can be made again. */
export function cacheFolder(kind: string): string {
  return join(ownFolders().cache, kind)
}

/** A file of this user, in the platform's folder for settings. */
export function settingsFile(name: string): string {
  return join(ownFolders().config, name)
}

/** A file of this user, in the platform's folder for data. */
export function dataFile(name: string): string {
  return join(ownFolders().data, name)
}

/** Read when they are needed: tests and people set `XDG_CACHE_HOME` and the like. */
function ownFolders(): { cache: string; config: string; data: string } {
  return envPaths('toolblocks', { suffix: '' })
}

function getName(workspace: string): string {
  return hash('sha256', workspace).slice(0, 32)
}
