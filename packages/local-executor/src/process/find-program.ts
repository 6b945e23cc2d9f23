import { accessSync, closeSync, constants, openSync, readSync, statSync } from 'node:fs'
import { delimiter, extname, isAbsolute, resolve, sep } from 'node:path'

/** The kind of a file at a path. */
export type PathKind = 'program' | 'not-executable' | 'directory' | 'missing'

/** Where to search for a program. */
export interface SearchPlace {
  /** Absolute path; programs named by a relative path are resolved from here. */
  readonly cwd: string
  /** The tool's `PATH` without empty and relative elements. */
  readonly path: string
  /** Windows' `PATHEXT`, such as `['.EXE', '.CMD']`; empty on other systems. */
  readonly extensions: readonly string[]
}

/** Returns the absolute path of a program, or a message that says what was searched for, where, and what to do. */
export function findProgram(
  program: string,
  searchPlace: SearchPlace,
  probe: (path: string) => PathKind,
): { ok: true; path: string } | { ok: false; message: string } {
  const unusable: string[] = []
  for (const path of candidates(program, searchPlace)) {
    const kind = probe(path)
    if (kind === 'program') return { ok: true, path }
    if (kind === 'not-executable') unusable.push(`${path} is not executable: chmod +x it.`)
    if (kind === 'directory') unusable.push(`${path} is a directory, not a program.`)
  }
  const message = isPath(program) && unusable.length > 0 ? [] : [notFound(program, searchPlace)]
  return { ok: false, message: [...message, ...unusable].join(' ') }
}

/** A generator, because most searches end early. */
function* candidates(program: string, { cwd, path, extensions }: SearchPlace): Generator<string> {
  const suffixes = extensions.length === 0 || extname(program) !== '' ? [''] : extensions
  const names = suffixes.map((suffix) => program + suffix)
  if (isPath(program)) {
    for (const name of names) yield resolve(cwd, name)
    return
  }
  for (const folder of path.split(delimiter)) {
    for (const name of names) if (folder !== '') yield folder + sep + name
  }
}

function isPath(program: string): boolean {
  return program.includes('/') || isAbsolute(program)
}

function notFound(program: string, { cwd, path }: SearchPlace): string {
  if (isPath(program))
    return `There is no program ${resolve(cwd, program)}: check the path in its command.`
  return (
    `There is no program "${program}" in PATH${path === '' ? ', which is empty' : ''}: ` +
    `install it, or name it by a path, such as ./${program} for one in ${cwd}.`
  )
}

/** Returns the first bytes of a file as Latin-1; empty if it cannot be read. */
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

/** Returns the kind of the file at a path. */
export function getKind(path: string): PathKind {
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

/** The values by which a change of a file is detected. */
export interface FileState {
  readonly path: string
  /** In bytes; absent if there is no file. */
  readonly size?: number
  /** Milliseconds since 1970, with fractions. */
  readonly modified?: number
}

/** Returns the current state of a file. */
export function getState(path: string): FileState {
  if (path.includes('\0')) return { path }
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat?.isFile() ? { path, size: stat.size, modified: stat.mtimeMs } : { path }
}

/** Whether a file is unchanged between two states. */
export function isSame(one: FileState, other: FileState): boolean {
  return one.path === other.path && one.size === other.size && one.modified === other.modified
}
