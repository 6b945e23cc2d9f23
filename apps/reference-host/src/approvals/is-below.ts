import { resolve } from 'node:path'
import { liesBelow } from '../files/lies-below.ts'
import { findRealPath } from '../files/real-path.ts'
import type { IsBelow } from './allows-call.ts'

/**
 * What a program can read as something else than the path it looks like: an option, a home folder, an address, a pattern, a part of
 * a shell's program, or a name with blanks at its ends. Behind a link, `..` leads elsewhere than it reads.
 */
const NOT_A_PLAIN_PATH =
  // oxlint-disable-next-line no-control-regex -- no path that is plain has them
  /^[-~\s]|\s$|^[A-Za-z][A-Za-z0-9+.-]*:|[$`;&|<>()*?[\]{}!"'\\\0-\x1f\x7f]|(?:^|\/)\.\.(?:\/|$)/

/** Tells where paths lead in the workspace at `root`; what does not exist yet counts where it would be made. */
export function createIsBelow(root: string): IsBelow {
  return (path, folder) => {
    if (path === '' || NOT_A_PLAIN_PATH.test(path)) return false
    const place = findRealPath(resolve(root, path))
    const from = findRealPath(resolve(root, folder))
    return place !== undefined && from !== undefined && liesBelow(place, from)
  }
}
