import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'

/** The maximum size of a settings file, in bytes: 256 KiB. */
export const MAX_FILE_BYTES = 256 * 1024

/** The maximum size of a file in which this program stores decisions, in bytes: 16 MiB. */
export const MAX_OWN_BYTES = 16 * 1024 * 1024

/**
 * Reads a text file in UTF-8 of at most `limit` bytes. A FIFO, a device or a folder is not opened, because reading it could block forever. Throws the error
 * of the operating system, or an error that describes the problem of the file.
 */
export function readRegularFile(path: string, limit: number): string {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const stat = fstatSync(file)
    if (stat.isDirectory()) throw new Error('expected a file, got a folder')
    if (!stat.isFile()) throw new Error('expected a regular file, got a device or a pipe')
    if (stat.size > limit)
      throw new Error(`expected at most ${limit} bytes, got ${stat.size} bytes`)
    return decodeText(readFileSync(file))
  } finally {
    closeSync(file)
  }
}

/** Other bytes would be lost when the text is written again. */
function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw new Error('expected text in UTF-8, got other bytes', { cause })
  }
}
