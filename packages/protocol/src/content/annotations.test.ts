import { expect, test } from 'vitest'
import { isAudience, isLastModified, isPriority } from './annotations.ts'

test('an audience is a list of user and assistant', () => {
  expect([[], ['user'], ['assistant', 'user']].every(isAudience)).toBe(true)
  expect(['user', ['User'], ['user', null], {}].some(isAudience)).toBe(false)
})

test('a priority is a number from 0 to 1', () => {
  expect([0, 0.5, 1].every(isPriority)).toBe(true)
  expect([-0.1, 1.1, NaN, '1', null].some(isPriority)).toBe(false)
})

test.for(['2025-01-12T15:00:58Z', '2025-01-12T15:00:58.123+01:00', '2025-01-12T15:00Z'])(
  '%s is a date and time',
  (value) => {
    expect(isLastModified(value)).toBe(true)
  },
)

test.for([
  '2025-01-12',
  '2025-01-12T15:00:58',
  '2025-13-12T15:00:58Z',
  '2025-01-12T24:00:58Z',
  '2025-01-12 15:00:58Z',
  '2025-01-12T15:00:58Z\n',
  'yesterday',
  0,
])('%j is none', (value) => {
  expect(isLastModified(value)).toBe(false)
})
