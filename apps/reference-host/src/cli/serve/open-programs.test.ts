import { tmpdir } from 'node:os'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openPrograms } from './open-programs.ts'

test.for([
  ["sort 'x", 'a quote is not closed'],
  ['sort {{nope}}', 'unknown placeholder {{nope}}'],
])('a command that cannot be parsed is refused before any call: %s', async ([program, why]) => {
  const { signal } = new AbortController()
  const opened = await openPrograms([program ?? ''], {
    folder: tmpdir(),
    signal,
    tell: () => undefined,
  })
  expect(opened).toEqual({ ok: false, messages: [expect.stringContaining(why ?? '')] })
})

test.for(['sort', "sort 'x"])(
  'a program that has answered is not called slow afterwards: %s',
  async (program) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { signal } = new AbortController()
    const messages: string[] = []
    await openPrograms([program], {
      folder: tmpdir(),
      signal,
      tell: (text) => void messages.push(text),
    })
    vi.advanceTimersByTime(60_000)
    expect(messages).toEqual([])
  },
)
