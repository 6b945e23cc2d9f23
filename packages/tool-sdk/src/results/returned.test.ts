import { expect, test } from 'vitest'
import { traceOf } from './returned.ts'

test('what was thrown is told with its causes, outermost first', () => {
  const cause = new TypeError('no such lamp', { cause: 'a fuse' })
  expect(traceOf(new Error('cannot light it', { cause }))).toEqual([
    'Error: cannot light it',
    'TypeError: no such lamp',
    'a fuse',
  ])
  expect(traceOf(undefined)).toEqual([])
})

test('of an error that causes itself the first 16 are told', () => {
  const loop = new Error('again')
  loop.cause = loop
  expect(traceOf(loop)).toEqual(Array.from({ length: 16 }, () => 'Error: again'))
})
