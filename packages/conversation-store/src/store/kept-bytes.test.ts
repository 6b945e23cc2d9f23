import { expect, test } from 'vitest'
import { createKeptBytes } from './kept-bytes.ts'

test('bytes that two calls have kept are claimed by the second event', () => {
  const kept = createKeptBytes(60_000)
  for (const sha256 of ['a', 'a', 'b']) kept.add(sha256)
  expect(kept.claim(['a', 'b', 'c']).claimed).toEqual(['b'])
  expect(kept.claim(['a']).claimed).toEqual(['a'])
})

test('an event that was not appended claims its bytes again', () => {
  const kept = createKeptBytes(60_000)
  kept.add('a')
  kept.claim(['a']).undo()
  expect(kept.claim(['a']).claimed).toEqual(['a'])
  expect(kept.claim(['a']).claimed).toEqual([])
})

test('bytes of a call that never appended an event are forgotten', () => {
  const kept = createKeptBytes(-1)
  for (const sha256 of ['a', 'b']) kept.add(sha256)
  expect(kept.claim(['a']).claimed).toEqual([])
})
