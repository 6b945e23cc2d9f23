import { compileSchema } from '@toolblocks/schema-check'
import { expect, test } from 'vitest'
import { wrapSchema } from './wrap-schema.ts'

test.for([true, false, { type: 'string' }])('%j is the schema of the one field', (schema) => {
  expect(wrapSchema(schema)).toEqual({
    type: 'object',
    properties: { answer: schema },
    required: ['answer'],
    additionalProperties: false,
  })
})

test('references keep what they refer to: definitions at the root, parts of the schema where it is now', () => {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $defs: { tree: { type: 'object', properties: { $ref: { $ref: '#/$defs/tree' } } } },
    properties: {
      tree: { $ref: '#/$defs/tree' },
      again: { $ref: '#/properties/tree' },
      default: { $ref: '#', default: { $ref: '#' } },
    },
  }
  const answer = {
    properties: {
      tree: { $ref: '#/$defs/tree' },
      again: { $ref: '#/properties/answer/properties/tree' },
      default: { $ref: '#/properties/answer', default: { $ref: '#' } },
    },
  }
  expect(wrapSchema(schema)).toEqual({
    $schema: schema.$schema,
    $defs: schema.$defs,
    type: 'object',
    properties: { answer },
    required: ['answer'],
    additionalProperties: false,
  })
})

test.for<[string, unknown, unknown]>([
  ['the root', '#', '#/properties/answer'],
  ['a part', '#/items', '#/properties/answer/items'],
  ['a definition', '#/$defs/a', '#/$defs/a'],
  ['an older definition', '#/definitions/a', '#/definitions/a'],
  ['a part called like definitions', '#/$defsish/a', '#/properties/answer/$defsish/a'],
  ['an anchor', '#a', '#a'],
  ['another document', 'https://a.example/#/items', 'https://a.example/#/items'],
  ['something that is no text', 7, 7],
])('a reference to %s leads there still', ([, given, moved]) => {
  expect(wrapSchema({ $ref: given, description: '#/items' })).toMatchObject({
    properties: { answer: { $ref: moved, description: '#/items' } },
  })
})

test('a schema that refers to itself checks the answer', () => {
  const list = { type: 'object', properties: { next: { $ref: '#' } }, additionalProperties: false }
  const compiled = compileSchema(wrapSchema(list))
  const check = (value: unknown): string => (compiled.ok ? compiled.check(value).verdict : 'none')
  expect(check({ answer: { next: { next: {} } } })).toBe('valid')
  expect(check({ answer: { next: { answer: {} } } })).toBe('invalid')
})
