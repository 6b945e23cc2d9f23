import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'

/** Returns why a command line cannot be started, or `undefined` if its program exists and is executable. */
export function explainNoProgram(
  line: string,
  { folder, path }: { folder: string; path: string },
): string | undefined {
  const file = resolve(folder, line)
  if (existsSync(file)) {
    if (statSync(file).isDirectory()) return 'expected a program, got a folder'
    return mayRun(file) ? undefined : 'this file is not executable; "chmod +x" makes it executable'
  }
  const [program = ''] = line.trim().split(/\s+/)
  // A quoted program is not checked here: starting it reports the problem.
  if (/["'\\]/.test(program)) return undefined
  const places = program.includes('/')
    ? [resolve(folder, program)]
    : path
        .split(delimiter)
        .flatMap((each) => ['', '.exe', '.cmd'].map((end) => join(each, program + end)))
  return places.some((place) => existsSync(place)) ? undefined : 'no such program'
}

function mayRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
