import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { performance } from 'node:perf_hooks'
import { expect, test } from 'vitest'
import { settlesWithin } from './settles-within.ts'

const NEVER = new Promise<never>(() => {})

test('a promise that is fulfilled in time is reported at once, and a rejection is passed on', async () => {
  expect(await settlesWithin(3_600_000, Promise.resolve(1))).toBe(true)
  await expect(settlesWithin(3_600_000, Promise.reject(new Error('no disk')))).rejects.toThrow(
    'no disk',
  )
})

test('a promise that is not fulfilled is late after the time, and not before', async () => {
  const start = performance.now()
  expect(await settlesWithin(100, NEVER)).toBe(false)
  expect(performance.now() - start).toBeGreaterThanOrEqual(90)
})

test('what arrived while this process could not run was in time', async () => {
  const child = spawn('sh', ['-c', 'read line; echo done'], { stdio: ['pipe', 'pipe', 'ignore'] })
  const output = once(child.stdout, 'data')
  const inTime = settlesWithin(200, output)
  child.stdin.end('go\n')
  // The program writes meanwhile, and the time is over.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600)
  expect(await inTime).toBe(true)
})
