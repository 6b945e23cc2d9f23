import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
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
