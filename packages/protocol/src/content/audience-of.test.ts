import { expect, test } from 'vitest'
import type { Annotations } from './annotations.ts'
import { audienceOf } from './audience-of.ts'

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
