import { openSync, readdirSync, readFileSync } from 'node:fs'

/** Linux's O_CLOEXEC: a file that a new program does not get. */
const CLOSE_ON_EXEC = 0o2000000
/** A greater number would make the list of files that every start needs too long. */
const MAX_FILES = 4096

let covered: readonly ('ignore' | number)[] | undefined

/**
 * The entries of a program's `stdio` behind the first three: the null device in place of each file that this process got
 * from its own parent open for everybody. Node.js hides only the first of those. Looked up once; other systems than Linux
 * hide all of them.
 */
export function coverInheritedFiles(): readonly ('ignore' | number)[] {
  covered ??= coverFiles(inheritedFiles())
  return covered
}

/** The null device in place of each of these descriptors, and what Node.js hides by itself between them. */
export function coverFiles(files: readonly number[]): readonly ('ignore' | number)[] {
  if (files.length === 0) return []
  const nothing = openSync('/dev/null', 'r+')
  const last = Math.max(...files)
  return Array.from({ length: last - 2 }, (_, index) =>
    files.includes(index + 3) ? nothing : 'ignore',
  )
}

function inheritedFiles(): readonly number[] {
  if (process.platform !== 'linux') return []
  try {
    return findInherited(readdirSync('/proc/self/fd').map(Number), readInfo)
  } catch {
    return []
  }
}

/** The descriptors that a new program would get, beside its first three; of each `infoOf` gives what /proc says. */
export function findInherited(
  files: readonly number[],
  infoOf: (file: number) => string,
): readonly number[] {
  return files.filter((file) => file > 2 && file < MAX_FILES && isPassedOn(infoOf(file)))
}

function isPassedOn(info: string): boolean {
  const flags = /^flags:\t([0-7]+)$/m.exec(info)?.[1]
  return flags !== undefined && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0
}

/** Empty where the file was closed meanwhile. */
function readInfo(file: number): string {
  try {
    return readFileSync(`/proc/self/fdinfo/${file}`, 'latin1')
  } catch {
    return ''
  }
}
