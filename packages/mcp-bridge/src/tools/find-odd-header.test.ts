import type { JsonSchema } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { findOddHeader } from './find-odd-header.ts'

const header = (type: unknown, name: unknown = 'X') => ({ type, 'x-mcp-header': name })

test.for<[string, unknown]>([
  ['none', { type: 'object' }],
  ['a text', { properties: { a: header('string') } }],
  [
    'an argument of an argument',
    { properties: { a: { type: 'object', properties: { b: header('boolean') } } } },
  ],
  [
    'the word as a value',
    {
      properties: {
        a: { type: 'object', default: { 'x-mcp-header': 3 }, enum: [{ 'x-mcp-header': 3 }] },
      },
    },
  ],
])('a schema with %s is good', ([, schema]) =>
  expect(findOddHeader(schema as JsonSchema)).toBeUndefined(),
)

test.for<[string, unknown]>([
  ['no name', { properties: { a: header('string', '') } }],
  ['a name with a space', { properties: { a: header('string', 'a b') } }],
  ['a number', { properties: { a: header('number') } }],
  ['an object', { properties: { a: header('object') } }],
  ['the same name twice', { properties: { a: header('string', 'x'), b: header('string', 'X') } }],
  ['one at the root', header('string')],
  ['one in a list', { properties: { a: { items: header('string') } } }],
  ['one below alternatives', { anyOf: [{ properties: { a: header('string') } }] }],
])('a schema with %s is odd', ([, schema]) =>
  expect(findOddHeader(schema as JsonSchema)).toContain('x-mcp-header'),
)
