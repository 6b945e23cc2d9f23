import { homedir } from 'node:os'
import { resolve } from 'node:path'
import type { IsBelow } from '@toolblocks/tool-executor/internal/rules'
import { findRealPath, isInFolder } from '../files/real-path.ts'

/**
 * Texts that a program can read as something other than a path: an option, a home folder, a URL, a pattern, a part of a shell script, or a name
 * with spaces at its ends. `..` after a link leads elsewhere than the text suggests.
 */
const NOT_A_PLAIN_PATH =
  // oxlint-disable-next-line no-control-regex -- no path that is plain has them
  /^[-~\s]|\s$|^[A-Za-z][A-Za-z0-9+.-]*:|[$`;&|<>()*?[\]{}!"'\\\0-\x1f\x7f]|(?:^|\/)\.\.(?:\/|$)/

/**
 * Creates the check of where paths lead in the workspace at `root`. A path that does not exist yet is checked at the place where it would be
 * created. A text that a program could read as something else may lead anywhere. `~/` of a folder is the user's own.
 */
export function createIsBelow(root: string): IsBelow {
  return (path, folder) => {
    if (path === '' || NOT_A_PLAIN_PATH.test(path)) return undefined
    const target = findRealPath(resolve(root, path))
    const from = findRealPath(resolve(root, folder.replace(/^~(?=\/|$)/, homedir)))
    return target === undefined || from === undefined ? undefined : isInFolder(target, from)
  }
}
