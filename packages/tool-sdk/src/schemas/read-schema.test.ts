import { expect, test } from 'vitest'
import { readSchema } from './read-schema.ts'

test('a name refers to its nearest definition; other references stay', () => {
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
  expect(readSchema(schema, 'x').schema).toEqual({
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

test('a definition without its own name stays, and a schema without names is returned unchanged', () => {
  const schema = { $defs: { yes: true, N: { $id: 'M', type: 'string' } }, items: { $ref: 'N' } }
  expect(readSchema(schema, 'x').schema).toEqual(schema)
  expect(readSchema({ $defs: { ...schema.$defs, O: { $id: 'O' } } }, 'x').schema).toEqual({
    $defs: { ...schema.$defs, O: {} },
  })
})
