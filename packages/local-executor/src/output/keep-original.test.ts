import { expect, onTestFinished, test, vi } from 'vitest'
import { keepOriginal } from './keep-original.ts'

const output = { isWhole: true, bytes: new Uint8Array([1]) } as const

test('a store that does not answer is waited for ten seconds, and then a warning', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  let kept: unknown
  void keepOriginal(output, () => new Promise(() => {})).then((value) => (kept = value))
  await vi.advanceTimersByTimeAsync(9999)
  expect(kept).toBeUndefined()
  await vi.advanceTimersByTimeAsync(1)
  expect(kept).toEqual({
    warning: {
      path: '',
      code: 'output-not-kept',
      message: 'The original output could not be kept: no answer within 10 s.',
    },
  })
})

test('a store that answers leaves no timer behind', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const raw = { sha256: 'aa', bytes: 1 }
  expect(await keepOriginal(output, async () => raw)).toEqual({ raw })
  expect(vi.getTimerCount()).toBe(0)
})
