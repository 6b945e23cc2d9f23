import { expect, test } from 'vitest'
import { localizeReferences } from './localize-references.ts'
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

test('a name means the nearest definition of it; other references stay', () => {
  const named = (inside: object): object => ({ $defs: { N: { $id: 'N', ...inside } }, $ref: 'N' })
  const schema = {
    properties: {
      outer: named({ items: { $ref: 'N' }, not: named({ items: { $ref: 'N' } }) }),
      free: { $ref: 'N' },
      local: { $ref: '#/properties/outer' },
    },
  }
  const outer = '#/properties/outer/$defs/N'
  const inner = '#/properties/outer/$defs/N/not/$defs/N'
  expect(localizeReferences(schema)).toEqual({
    properties: {
      outer: {
        $ref: outer,
        $defs: {
          N: {
            items: { $ref: outer },
            not: { $ref: inner, $defs: { N: { items: { $ref: inner } } } },
          },
        },
      },
      free: { $ref: 'N' },
      local: { $ref: '#/properties/outer' },
    },
  })
})
