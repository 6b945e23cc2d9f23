import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { eventually, makeWorkspace } from '../workspace.suite.ts'
import { DRAIN_MS } from './end-processes.ts'
import { hostEnvironment } from './environment.ts'
import { runProcess } from './run-process.ts'

test('while a reader takes its time nothing more is read, and after the end of the program all of it is', async () => {
  // The program takes its time; only the waits of the run itself are stepped through.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { root } = makeWorkspace()
  const reader = Promise.withResolvers<void>()
  let bytes = 0
  const program = 'printf a; until [ -e go ]; do sleep 0.01; done; head -c 10000 /dev/zero'
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
  expect(vi.getTimerCount()).toBe(1)
  writeFileSync(join(root, 'go'), '')
  // Beside the deadline: the program has ended, and its pipes may stay open for a moment.
  expect(await eventually(() => vi.getTimerCount() === 2)).toBe(true)
  await vi.advanceTimersByTimeAsync(DRAIN_MS)
  // Without a reader at work they would be taken for somebody else's by now.
  expect(vi.getTimerCount()).toBe(1)
  expect(bytes).toBe(1)
  reader.resolve()
  expect(await running).toEqual({ kind: 'exited', code: 0, pipesHeld: false, left: [] })
  expect(bytes).toBe(10_001)
})
