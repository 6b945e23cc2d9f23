import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { readSqlite } from './sqlite-source.ts'

/** The open files of this process below a folder. */
function findOpen(folder: string): readonly string[] {
  return readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${descriptor}`)
      return path.startsWith(folder) ? [path] : []
    } catch {
      // The descriptor of the list itself.
      return []
    }
  })
}

// Only Linux lists the open files of a process in a folder.
test.runIf(process.platform === 'linux')(
  'the file of another program is closed after it was read, also if reading fails',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'toolblocks-source-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const path = join(folder, 'sessions.db')
    const database = new DatabaseSync(path)
    database.exec('CREATE TABLE session (id TEXT)')
    database.close()
    expect(readSqlite(path, () => findOpen(folder))).toEqual([path])
    expect(() =>
      readSqlite(path, () => {
        throw new Error('odd rows')
      }),
    ).toThrow('odd rows')
    expect(findOpen(folder)).toEqual([])
  },
)
