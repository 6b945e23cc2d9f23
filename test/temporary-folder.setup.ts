import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { TestProject } from 'vitest/node'

/** Gives all tests of a run one temporary folder. The run fails if a test, or a program that it started, leaves anything there. */
export function setup(root: TestProject): () => Promise<void> {
  // A short name: the address of a socket in the folder may have 103 bytes on macOS.
  const folder = mkdtempSync(join(tmpdir(), 'tests-'))
  // As the folder of the system: a server that a test starts as another user writes here too.
  chmodSync(folder, 0o1777)
  for (const { config } of root.vitest.projects) config.env['TMPDIR'] = folder
  const users = mkdtempSync(join(tmpdir(), 'users-'))
  root.provide('users', users)
  return async () => {
    rmSync(users, { recursive: true, force: true })
    // Of a file without a chosen test, nothing is removed.
    const isWhole = root.vitest.config.testNamePattern === undefined
    const remaining = isWhole ? await readRemaining(folder) : []
    rmSync(folder, { recursive: true, force: true })
    if (remaining.length > 0)
      throw new Error(
        `tests left ${remaining.join(', ')} in the temporary folder: remove it when the test ends, with onTestFinished or afterAll`,
      )
  }
}

/** The cache of Node.js, which programs with an environment of their own share. */
const COMPILE_CACHE = 'node-compile-cache'

/** What a program leaves when it is killed is removed by another process, a moment later. */
const REMOVAL_MS = 20_000

async function readRemaining(folder: string): Promise<readonly string[]> {
  const until = Date.now() + REMOVAL_MS
  for (;;) {
    const names = readdirSync(folder).filter((name) => name !== COMPILE_CACHE)
    if (names.length === 0 || Date.now() > until) return names
    await wait(50)
  }
}

// As in the tests of the command, which read it.
declare module 'vitest' {
  interface ProvidedContext {
    /** A folder for the settings, data and caches of users. It is removed when the run of the tests ends. */
    users: string
  }
}
