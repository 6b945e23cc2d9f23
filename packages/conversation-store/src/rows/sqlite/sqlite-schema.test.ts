import { expect, test } from 'vitest'
import { checkKeys, keyOf, keysEnd, MOST_EVENTS } from './sqlite-schema.ts'

test('keys of a conversation follow each other, and those of the next one follow them', () => {
  const keys = [keyOf(3, 1), keyOf(3, 2), keyOf(3, MOST_EVENTS), keysEnd(3), keyOf(4, 1)]
  expect(keys).toEqual(keys.toSorted((a, b) => a - b))
  expect(new Set(keys).size).toBe(keys.length)
})

test('a place beyond all events stays in the conversation', () => {
  expect(keyOf(3, Infinity)).toBeLessThan(keysEnd(3))
  expect(keyOf(3, 2 ** 40)).toBe(keyOf(3, MOST_EVENTS))
})

test('what is more than there are keys for is refused, and what to do is said', () => {
  checkKeys({ id: 'c', number: 1 }, MOST_EVENTS)
  expect(() => checkKeys({ id: 'c', number: 1 }, MOST_EVENTS + 1)).toThrow(
    'Nothing was appended to conversation "c": a file has room for 268435455 events of one conversation; begin another one.',
  )
  expect(() => checkKeys({ id: 'c', number: 2 ** 26 }, 1)).toThrow(
    'Nothing was appended to conversation "c": a file has room for 33554430 conversations; begin another file.',
  )
})
