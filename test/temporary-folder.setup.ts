import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { TestProject } from 'vitest/node'

/** Gives all tests of a run one temporary folder, in which each test file has its own. The run fails if a test, or a program that it started, leaves anything there. */
export function setup(root: TestProject): () => Promise<void> {
  // A short name: the address of a socket in the folder may have 103 bytes on macOS.
  const folder = mkdtempSync(join(tmpdir(), 'tests-'))
  // As the folder of the system: a server that a test starts as another user writes here too.
  chmodSync(folder, 0o1777)
  for (const { config } of root.vitest.projects) config.env['TMPDIR'] = folder
  root.provide('temporaryFolder', folder)
  const users = mkdtempSync(join(tmpdir(), 'users-'))
  root.provide('users', users)
  return async () => {
    // Of a file without a chosen test, nothing is removed.
    const isWhole = root.vitest.config.testNamePattern === undefined
    const remaining = isWhole ? await readRemaining(folder) : []
    removeFolder(users)
    removeFolder(folder)
    if (remaining.length > 0)
      throw new Error(
        `tests left files in the temporary folder: remove them when the test ends, with onTestFinished or afterAll\n${remaining.join('\n')}`,
      )
  }
}

/** A program that ends at this moment may still write its compile cache. */
function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
}

/** The cache of Node.js, which programs with an environment of their own share. */
const COMPILE_CACHE = 'node-compile-cache'

/** What a program leaves when it is killed is removed by another process, a moment later. */
const REMOVAL_MS = 20_000

/** Waits until nothing of the tests remains. Returns a line for each file or folder that remains, with the test file that it belongs to. */
async function readRemaining(root: string): Promise<readonly string[]> {
  const until = Date.now() + REMOVAL_MS
  for (;;) {
    const remaining = readNames(root).flatMap((name) => describeEntry(root, name))
    if (remaining.length === 0 || Date.now() > until) return remaining
    await wait(50)
  }
}

function describeEntry(root: string, name: string): readonly string[] {
  // The path of the test file whose folder has this name.
  if (name.endsWith('.txt')) return []
  const testFile = `${join(root, name)}.txt`
  if (!existsSync(testFile)) return [name]
  return readNames(join(root, name)).map((left) => `${readFileSync(testFile, 'utf8')}: ${left}`)
}

function readNames(folder: string): readonly string[] {
  return readdirSync(folder).filter((name) => name !== COMPILE_CACHE)
}

// As in the tests of the command, which read it.
declare module 'vitest' {
  interface ProvidedContext {
    /** A folder for the settings, data and caches of users. It is removed when the run of the tests ends. */
    users: string
    /** The folder in which each test file has its temporary folder. */
    temporaryFolder: string
  }
}
