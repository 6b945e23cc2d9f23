import { constants, createWriteStream, existsSync } from 'node:fs'
import { copyFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { explainWrite } from './explain-write.ts'

/** Whether the file was written, or why not. */
export type Saved = { ok: true } | { ok: false; message: string }

/**
 * Writes a complete file for its owner only. The file appears when all pieces are written. An existing file is kept, unless it may be replaced.
 * Errors of the pieces are thrown.
 */
export async function saveText(
  path: string,
  pieces: AsyncIterable<string> | Iterable<string>,
  existing: 'keep' | 'replace',
): Promise<Saved> {
  if (existing === 'keep' && existsSync(path)) return refuseExisting(path)
  const draft = `${path}.${process.pid}.new`
  try {
    await pipeline(Readable.from(pieces), createWriteStream(draft, { flags: 'wx', mode: 0o600 }))
    if (existing === 'replace') await rename(draft, path)
    // Unlike a rename, a link fails if another process has created the file meanwhile.
    else await copyFile(draft, path, constants.COPYFILE_EXCL)
    return { ok: true }
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error && 'code' in error)) throw error
    return error.code === 'EEXIST' && error.syscall === 'copyfile'
      ? refuseExisting(path)
      : { ok: false, message: explain(path, error.code, error.message) }
  } finally {
    await rm(draft, { force: true })
  }
}

function refuseExisting(path: string): Saved {
  return { ok: false, message: `${path} exists; --force replaces it` }
}

function explain(path: string, code: unknown, reason: string): string {
  return code === 'ENOENT' || code === 'ENOTDIR'
    ? `${path} cannot be written: there is no folder ${dirname(path)}`
    : explainWrite(path, code, reason)
}
