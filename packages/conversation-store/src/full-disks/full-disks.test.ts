import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { FILL_DISK, type FilledDisk } from './fill-disk.support.ts'

const NAMESPACES = 'unshare'
const IN_SMALL_DISK = [
  '-rm',
  'sh',
  '-c',
  'mount -t tmpfs -o size=2m tmpfs "$1" && exec "$2" "$3" "$1" "$4"',
  'sh',
]

/** Returns why a small disk cannot be mounted here; `undefined` if it can. */
function findMountProblem(): string | undefined {
  try {
    execFileSync(NAMESPACES, ['-rm', 'mount', '-t', 'tmpfs', 'none', tmpdir()], { stdio: 'ignore' })
    return undefined
  } catch {
    return 'a disk in memory cannot be mounted'
  }
}

const problem = findMountProblem()
// A test that is skipped prints its title, and so the reason.
const suffix = problem === undefined ? '' : ` (skipped: ${problem})`

describe.skipIf(problem !== undefined)(`on a full disk${suffix}`, () => {
  test.for([600_000, 601_000, 777_777])(
    'appends and kept bytes fail with an error that names the cause and the file, lose nothing, and continue when there is room (%d bytes used)',
    async (bytes) => {
      const folder = mkdtempSync(join(tmpdir(), 'toolblocks-disk-'))
      onTestFinished(() => rmSync(folder, { recursive: true }))
      const args = [...IN_SMALL_DISK, folder, process.execPath, FILL_DISK, String(bytes)]
      const { stdout } = await promisify(execFile)(NAMESPACES, args)
      const filled: FilledDisk = JSON.parse(stdout)
      for (const error of filled.errors)
        expect(error).toMatch(/^failed: The store .*c\.db failed.*: database or disk is full$/)
      expect(filled).toMatchObject({
        readable: filled.acknowledged,
        isContinued: true,
        isWhole: true,
        problems: 0,
      })
      expect(filled.acknowledged).toBeGreaterThan(10)
    },
  )
})
