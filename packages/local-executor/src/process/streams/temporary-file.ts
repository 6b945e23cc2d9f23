import { randomUUID } from 'node:crypto'
import { closeSync, openSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Makes an empty temporary file that only this user can read, open for `writeAt`. */
export function createTemporaryFile(): { path: string; file: number } {
  const path = join(tmpdir(), `toolblocks-${randomUUID()}`)
  return { path, file: openSync(path, 'wx', 0o600) }
}

export function writeAt(file: number, position: number, text: string): void {
  writeSync(file, text, position)
}

export function closeFile(file: number): void {
  closeSync(file)
}
