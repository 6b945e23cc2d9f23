import { delimiter, extname, isAbsolute, resolve } from 'node:path'

/** What stands at a path. */
export type PathKind = 'program' | 'not-executable' | 'directory' | 'missing'

/** Where a program is looked for. */
export interface SearchPlace {
  /** Absolute; programs named by a relative path start here. */
  readonly cwd: string
  /** The tool's `PATH`, cleaned. */
  readonly path: string
  /** Windows' `PATHEXT`, such as `['.EXE', '.CMD']`; empty elsewhere. */
  readonly extensions: readonly string[]
}

/** The absolute path of a program, or a message that says what was looked for, where, and what to do. */
export function findProgram(
  program: string,
  place: SearchPlace,
  probe: (path: string) => PathKind,
): { ok: true; path: string } | { ok: false; message: string } {
  const unusable: string[] = []
  for (const path of candidates(program, place)) {
    const kind = probe(path)
    if (kind === 'program') return { ok: true, path }
    if (kind === 'not-executable') unusable.push(`${path} is not executable: chmod +x it.`)
    if (kind === 'directory') unusable.push(`${path} is a directory, not a program.`)
  }
  const message = isPath(program) && unusable.length > 0 ? [] : [notFound(program, place)]
  return { ok: false, message: [...message, ...unusable].join(' ') }
}

function candidates(program: string, { cwd, path, extensions }: SearchPlace): readonly string[] {
  const suffixes = extensions.length === 0 || extname(program) !== '' ? [''] : extensions
  const folders = isPath(program) ? [cwd] : path.split(delimiter).filter((folder) => folder !== '')
  return folders.flatMap((folder) => suffixes.map((suffix) => resolve(folder, program + suffix)))
}

function isPath(program: string): boolean {
  return program.includes('/') || isAbsolute(program)
}

function notFound(program: string, { cwd, path }: SearchPlace): string {
  if (isPath(program))
    return `There is no program ${resolve(cwd, program)}: check the path in its command.`
  return (
    `There is no program "${program}" in PATH (${path || 'empty'}; relative elements are not searched): ` +
    `install it, or name it by a path, such as ./${program} for one in ${cwd}.`
  )
}
