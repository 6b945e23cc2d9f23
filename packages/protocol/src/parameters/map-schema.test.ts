import { expect, test } from 'vitest'
import type { JsonObject } from '../json/json.ts'
import { mapSchema, SCHEMA_MAPS } from './map-schema.ts'

test('every nested schema is visited with its path; data and names are not', () => {
  const data = { type: 'string' }
  const schema = {
    properties: { type: { default: data }, enum: { enum: [data], items: { const: data } } },
    anyOf: [{ examples: [data] }, true],
    dependentRequired: { type: ['string'] },
    dependencies: { type: ['string'], enum: {} },
    $defs: { 'a/b': {} },
    additionalProperties: { not: {} },
  }
  const seen: string[] = []
  expect(
    mapSchema(schema, (part, path) => {
      seen.push(path)
      return part
    }),
  ).toEqual(schema)
  expect(seen).toEqual([
    '',
    '/properties/type',
    '/properties/enum',
    '/properties/enum/items',
    '/anyOf/0',
    '/dependencies/enum',
    '/$defs/a~1b',
    '/additionalProperties',
    '/additionalProperties/not',
  ])
})

const titled = { title: 'T', type: 'string' }
const bare = { type: 'string' }
const withoutTitle = ({ title: _title, ...rest }: JsonObject): JsonObject => rest

test.for(['items', 'not', 'additionalProperties', 'contains', 'if', 'x-own'])(
  'a schema under %s is changed',
  (keyword) => {
    expect(mapSchema({ [keyword]: titled }, withoutTitle)).toEqual({ [keyword]: bare })
  },
)

test.for(['allOf', 'anyOf', 'oneOf', 'prefixItems'])(
  'all schemas under %s are changed',
  (keyword) => {
    expect(mapSchema({ [keyword]: [titled, true] }, withoutTitle)).toEqual({
      [keyword]: [bare, true],
    })
  },
)

test.for([...SCHEMA_MAPS])(
  'names under %s are not keywords, and their schemas are changed',
  (keyword) => {
    expect(mapSchema({ [keyword]: { title: titled, a: true } }, withoutTitle)).toEqual({
      [keyword]: { title: bare, a: true },
    })
  },
)

test.for(['const', 'enum', 'default', 'examples'])('data is unchanged: %s', (keyword) => {
  for (const data of [titled, [titled]])
    expect(mapSchema({ [keyword]: data }, withoutTitle)).toEqual({ [keyword]: data })
})
