import { expect, test } from 'vitest'
import { createRecentCache } from './recent-cache.ts'

function countCreations(bounds: { entries: number; characters: number }): (key: string) => number {
  const recent = createRecentCache<number>(bounds)
  let created = 0
  return (key) => {
    recent(key, () => created++)
    return created
  }
}

test('a value is created once while it is among the most recently used', () => {
  const use = countCreations({ entries: 2, characters: 100 })
  expect([use('a'), use('b'), use('a'), use('b')]).toEqual([1, 2, 2, 2])
})

test('the value unused for longest is removed if there are too many', () => {
  const use = countCreations({ entries: 2, characters: 100 })
  use('a')
  use('b')
  use('a')
  expect(use('c')).toBe(3)
  expect(use('a')).toBe(3)
  expect(use('b')).toBe(4)
})

test('the values unused for longest are removed if their keys are too long together', () => {
  const use = countCreations({ entries: 10, characters: 6 })
  use('aaa')
  use('bbb')
  expect(use('aaa')).toBe(2)
  expect(use('cccccc')).toBe(3)
  expect(use('aaa')).toBe(4)
  expect(use('bbb')).toBe(5)
  expect([use('aaa'), use('bbb')]).toEqual([5, 5])
})
