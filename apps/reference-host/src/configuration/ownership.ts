import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { liesBelow } from '../files/lies-below.ts'

/** Who runs this process, as far as files are concerned. */
export interface FileUser {
  /** Their numbers: of a command under sudo, both root's and that of whoever typed it. */
  ids: readonly number[]
}

/** The user of this process; `undefined` on Windows, where files have no such owners. */
export function findFileUser(
  environment: Readonly<Record<string, string | undefined>>,
): FileUser | undefined {
  const own = process.getuid?.()
  if (own === undefined) return undefined
  const { SUDO_UID: typedBy } = environment
  const isSudo = own === 0 && /^\d{1,10}$/.test(typedBy ?? '')
  return { ids: [0, own, ...(isSudo ? [Number(typedBy)] : [])] }
}

/** A file or a folder that somebody else could have written, and how that is known. */
export interface ForeignPath {
  path: string
  reason: string
}

/**
 * Finds out whether somebody else could have written a file that has an effect here: the file, its folder and each folder on the way
 * up from where the search began belong to the user or to root, and not everybody may write them. In a folder with the sticky
 * bit, such as /tmp, only the owner of a file can replace it.
 */
export function findForeignPath(
  file: string,
  { from = dirname(file), user }: { from?: string; user: FileUser | undefined },
): ForeignPath | undefined {
  if (!user) return undefined
  for (const path of [file, ...foldersBetween(from, dirname(file))]) {
    const stat = statSync(path, { throwIfNoEntry: false })
    if (!stat) continue
    if (!user.ids.includes(stat.uid))
      return { path, reason: `belongs to the user with the number ${stat.uid}` }
    const isSticky = stat.isDirectory() && (stat.mode & STICKY) !== 0
    if ((stat.mode & WRITABLE_BY_ALL) !== 0 && !isSticky)
      return { path, reason: 'may be written by every user of this machine' }
  }
  return undefined
}

const STICKY = 0o1000
const WRITABLE_BY_ALL = 0o002

/** The folder of a file, then those below it on the way down to where the search began. */
function foldersBetween(from: string, top: string): readonly string[] {
  const folders: string[] = []
  for (let at = from; at !== top && at !== dirname(at); at = dirname(at)) folders.push(at)
  return [top, ...(liesBelow(from, top) ? folders : [])]
}
