import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { eventually, makeWorkspace } from '../workspace.suite.ts'
import { DRAIN_MS } from './end/until-gone.ts'
import { hostEnvironment } from './environment.ts'
import { runProcess } from './run-process.ts'

test('while a reader takes its time nothing more is read, and after the end of the program all of it is', async () => {
  const { root, read } = makeWorkspace()
  const reader = Promise.withResolvers<void>()
  let bytes = 0
  const program =
    'printf a; until [ -e go ]; do sleep 0.01; done; head -c 10000 /dev/zero; echo > over'
  const running = runProcess({
    program: 'sh',
    args: ['-c', program],
    cwd: root,
    env: hostEnvironment(),
    input: '',
    timeoutMs: 60_000,
    graceMs: 0,
    leftBehind: 'keep',
    signal: new AbortController().signal,
    onStdout: (chunk) => {
      bytes += chunk.length
      return bytes === 1 ? reader.promise : undefined
    },
    onStderr: () => {},
  })
  expect(await eventually(() => bytes === 1)).toBe(true)
  writeFileSync(join(root, 'go'), '')
  expect(await eventually(() => read('over') !== undefined)).toBe(true)
  // Pipes that stay open for so long without a reader at work are taken for somebody else's.
  await sleep(3 * DRAIN_MS)
  expect(bytes).toBe(1)
  reader.resolve()
  expect(await running).toEqual({ kind: 'exited', code: 0, pipesHeld: false, left: [] })
  expect(bytes).toBe(10_001)
})
