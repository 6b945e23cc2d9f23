import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { limitTime } from './limit-time.ts'

describe('by the clock', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test('the function is called once after the time, and not before', () => {
    const onLate = vi.fn<() => void>()
    limitTime(1000, onLate)
    vi.advanceTimersByTime(999)
    expect(onLate).not.toHaveBeenCalled()
    vi.advanceTimersByTime(10_000)
    expect(onLate).toHaveBeenCalledTimes(1)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('one that is stopped calls nothing, leaves no timer and returns the milliseconds that are left', () => {
    const onLate = vi.fn<() => void>()
    const stop = limitTime(1000, onLate)
    vi.advanceTimersByTime(430)
    expect(stop()).toBe(570)
    expect(vi.getTimerCount()).toBe(0)
    vi.advanceTimersByTime(10_000)
    expect(onLate).not.toHaveBeenCalled()
  })

  test('without an end, it is never late', () => {
    const onLate = vi.fn<() => void>()
    const stop = limitTime(Number.POSITIVE_INFINITY, onLate)
    vi.advanceTimersByTime(2 ** 31)
    expect([onLate.mock.calls.length, stop()]).toEqual([0, Number.POSITIVE_INFINITY])
  })

  test('in a browser, which has no setImmediate, the function is called too', () => {
    vi.stubGlobal('setImmediate', undefined)
    Reflect.deleteProperty(globalThis, 'setImmediate')
    const onLate = vi.fn<() => void>()
    limitTime(1000, onLate)
    vi.advanceTimersByTime(1001)
    vi.unstubAllGlobals()
    expect(onLate).toHaveBeenCalledTimes(1)
  })
})

test.for([
  ['from the start', 0, 300],
  ['when the last tenth of the time had begun', 950, 1000],
] as const)(
  'what arrived while this process could not run is read before the time is over: %s',
  async ([, runMs, limitMs]) => {
    const child = spawn('sh', ['-c', 'read line; echo done'], { stdio: ['pipe', 'pipe', 'ignore'] })
    const events: string[] = []
    const output = once(child.stdout, 'data').then(() => void events.push('output'))
    const late = new Promise<void>((resolve) => {
      const end = (): void => {
        events.push('late')
        resolve()
      }
      limitTime(limitMs, end)
    })
    const begin = performance.now()
    while (performance.now() - begin < runMs) await new Promise(setImmediate)
    child.stdin.end('go\n')
    // The program writes meanwhile, and the time is over.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 800)
    await Promise.all([output, late])
    expect(events).toEqual(['output', 'late'])
  },
)

test('while this process cannot run, a tenth of the time passes', async () => {
  const stop = limitTime(1000, () => undefined)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500)
  expect(stop()).toBe(900)
})
