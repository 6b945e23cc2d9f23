import { expect, test } from 'vitest'
import { mapSchema } from './map-schema.ts'

test('every schema inside is visited with its place; data and names are not', () => {
  const data = { type: 'string' }
  const schema = {
    properties: { type: { default: data }, enum: { enum: [data], items: { const: data } } },
    anyOf: [{ examples: [data] }, true],
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
    '/$defs/a~1b',
    '/additionalProperties',
    '/additionalProperties/not',
  ])
})
