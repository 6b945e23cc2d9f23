import { expect, test } from 'vitest'
import { mapSchema } from './map-schema.ts'

const withoutTitles = (keyword: string, value: unknown): unknown =>
  keyword === 'title' ? undefined : value

const titled = { title: 'T', type: 'string' }
const bare = { type: 'string' }

test.for(['items', 'not', 'additionalProperties', 'contains', 'if', 'x-own'])(
  'a schema under %s is changed',
  (keyword) => {
    expect(mapSchema({ [keyword]: titled }, withoutTitles)).toEqual({ [keyword]: bare })
  },
)

test.for(['allOf', 'anyOf', 'oneOf', 'prefixItems'])(
  'all schemas under %s are changed',
  (keyword) => {
    expect(mapSchema({ [keyword]: [titled, true] }, withoutTitles)).toEqual({
      [keyword]: [bare, true],
    })
  },
)

test.for(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'])(
  'names under %s are no keywords, and their schemas are changed',
  (keyword) => {
    expect(mapSchema({ [keyword]: { title: titled, a: true } }, withoutTitles)).toEqual({
      [keyword]: { title: bare, a: true },
    })
  },
)

test.for(['const', 'enum', 'default', 'examples'])('what is data stays: %s', (keyword) => {
  for (const data of [titled, [titled]])
    expect(mapSchema({ [keyword]: data }, withoutTitles)).toEqual({ [keyword]: data })
})
