import { expect, test } from 'vitest'
import {
  type Annotations,
  audienceOf,
  isAnnotations,
  isAudience,
  isPriority,
} from './content-block.ts'

test('an audience is a list of user and assistant', () => {
  expect([[], ['user'], ['assistant', 'user']].every(isAudience)).toBe(true)
  expect(['user', ['User'], ['user', null], {}].some(isAudience)).toBe(false)
})

test('a priority is a number from 0 to 1', () => {
  expect([0, 0.5, 1].every(isPriority)).toBe(true)
  expect([-0.1, 1.1, NaN, '1', null].some(isPriority)).toBe(false)
})

test('a lastModified is any text', () => {
  expect(
    ['2025-01-12T15:00:58Z', 'yesterday'].every((lastModified) => isAnnotations({ lastModified })),
  ).toBe(true)
  expect([0, null, {}].some((lastModified) => isAnnotations({ lastModified }))).toBe(false)
})

test.for<[Annotations | undefined, string]>([
  [undefined, 'everyone'],
  [{}, 'everyone'],
  [{ audience: [] }, 'everyone'],
  [{ audience: ['user', 'assistant'] }, 'everyone'],
  [{ audience: ['user'] }, 'user'],
  [{ audience: ['assistant', 'assistant'] }, 'assistant'],
])('a block with %j is for %s', ([annotations, audience]) => {
  expect(audienceOf({ type: 'text', text: 'a', ...(annotations && { annotations }) })).toBe(
    audience,
  )
})
