import { accessSync, closeSync, constants, existsSync, openSync, readSync, statSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'

/** Why a command line cannot be started; undefined where its program is there and may be. */
export function explainNoProgram(
  line: string,
  { folder, path }: { folder: string; path: string },
): string | undefined {
  const file = resolve(folder, line)
  if (existsSync(file)) {
    if (statSync(file).isDirectory()) return 'expected a program, got a folder'
    if (!mayRun(file)) return 'this file may not be run; "chmod +x" lets it'
    return endsLinesAsOnWindows(file) ? CRLF : undefined
  }
  const [program = ''] = line.trim().split(/\s+/)
  // Quotes are left to whoever starts it.
  if (/["'\\]/.test(program)) return undefined
  const places = program.includes('/')
    ? [resolve(folder, program)]
    : path
        .split(delimiter)
        .flatMap((each) => ['', '.exe', '.cmd'].map((end) => join(each, program + end)))
  return places.some((place) => existsSync(place)) ? undefined : 'no such program'
}

const CRLF =
  'its lines end as on Windows (CRLF), so its first line names no interpreter that exists; save it with LF as the end of its lines'

/** Longer first lines name no interpreter. */
const FIRST_LINE_BYTES = 256

function endsLinesAsOnWindows(file: string): boolean {
  const bytes = Buffer.alloc(FIRST_LINE_BYTES)
  const opened = openSync(file, 'r')
  try {
    const length = readSync(opened, bytes)
    return (
      process.platform !== 'win32' && /^#![^\r\n]*\r\n/.test(bytes.toString('latin1', 0, length))
    )
  } finally {
    closeSync(opened)
  }
}

function mayRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
