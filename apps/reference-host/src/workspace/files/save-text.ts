import { constants, createWriteStream, existsSync } from 'node:fs'
import { copyFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { explainWrite } from './explain-write.ts'

/** Whether a text became a file, or what stood in the way. */
export type Saved = { ok: true } | { ok: false; message: string }

/**
 * Writes a file whole, for its owner only: it is there once all of it is. One that exists stays, unless it may be replaced. What the pieces throw is thrown.
 */
export async function saveText(
  path: string,
  pieces: AsyncIterable<string> | Iterable<string>,
  existing: 'keep' | 'replace',
): Promise<Saved> {
  if (existing === 'keep' && existsSync(path)) return thereIs(path)
  const draft = `${path}.${process.pid}.new`
  try {
    await pipeline(Readable.from(pieces), createWriteStream(draft, { flags: 'wx', mode: 0o600 }))
    if (existing === 'replace') await rename(draft, path)
    // Unlike a rename it fails where somebody else has made the file meanwhile.
    else await copyFile(draft, path, constants.COPYFILE_EXCL)
    return { ok: true }
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error && 'code' in error)) throw error
    return error.code === 'EEXIST' && error.syscall === 'copyfile'
      ? thereIs(path)
      : { ok: false, message: explain(path, error.code, error.message) }
  } finally {
    await rm(draft, { force: true })
  }
}

function thereIs(path: string): Saved {
  return { ok: false, message: `${path} exists; --force replaces it` }
}

function explain(path: string, code: unknown, reason: string): string {
  return code === 'ENOENT' || code === 'ENOTDIR'
    ? `${path} cannot be written: there is no folder ${dirname(path)}`
    : explainWrite(path, code, reason)
}
