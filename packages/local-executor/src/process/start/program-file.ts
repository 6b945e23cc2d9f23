import { accessSync, closeSync, constants, openSync, readSync, statSync } from 'node:fs'
import type { PathKind } from './find-program.ts'

/** The first bytes of a file as Latin-1; empty where it cannot be read. */
export function readStart(path: string): string {
  try {
    const file = openSync(path, 'r')
    const bytes = Buffer.alloc(256)
    const count = readSync(file, bytes)
    closeSync(file)
    return bytes.toString('latin1', 0, count)
  } catch {
    return ''
  }
}

/** What stands at a path. */
export function kindOf(path: string): PathKind {
  try {
    const stat = statSync(path, { throwIfNoEntry: false })
    if (!stat) return 'missing'
    if (stat.isDirectory()) return 'directory'
    accessSync(path, constants.X_OK)
    return 'program'
  } catch {
    return 'not-executable'
  }
}

/** What tells one state of a file from another. */
export interface FileState {
  readonly path: string
  /** In bytes; absent where no file stands there. */
  readonly size?: number
  /** Milliseconds since 1970, with fractions. */
  readonly modified?: number
}

/** The state of a file, as it is now. */
export function stateOf(path: string): FileState {
  if (path.includes('\0')) return { path }
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat?.isFile() ? { path, size: stat.size, modified: stat.mtimeMs } : { path }
}

/** Whether two states are of a file that nobody has changed between them. */
export function isSame(one: FileState, other: FileState): boolean {
  return one.path === other.path && one.size === other.size && one.modified === other.modified
}
