import { extname } from 'node:path'
import { readStart } from './find-program.ts'

/** The interpreters of files that a shell cannot run, by their extensions. */
const INTERPRETERS: ReadonlyMap<string, string> = new Map([
  ['.py', 'python3'],
  ['.js', 'node'],
  ['.mjs', 'node'],
  ['.cjs', 'node'],
  ['.ts', 'node'],
  ['.mts', 'node'],
  ['.cts', 'node'],
  ['.rb', 'ruby'],
  ['.pl', 'perl'],
  ['.php', 'php'],
])

/** The beginnings of a script that a shell starts, and that passes itself on to its interpreter: `':' //; exec node "$0"`, `//usr/bin/env`. */
const STARTS_AS_SHELL = /^(?:["']*:["']|\/\/(?:usr\/)?bin\/)/

/**
 * Explains why a script of a known language cannot run if its first line does not name its interpreter: the operating system would have a shell run
 * it. Returns `undefined` for any other file.
 */
export function explainNoInterpreter(path: string): string | undefined {
  const interpreter = INTERPRETERS.get(extname(path).toLowerCase())
  if (interpreter === undefined) return undefined
  const start = readStart(path)
  const isBinary = start.includes('\0')
  if (start === '' || start.startsWith('#!') || isBinary || STARTS_AS_SHELL.test(start))
    return undefined
  return `${path} could not be started: its first line names no interpreter. Write this line before it: #!/usr/bin/env ${interpreter}`
}
