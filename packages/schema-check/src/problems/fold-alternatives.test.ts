import type { JsonSchema } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { lines } from './explain.suite.ts'

test('alternatives that all differ from the value are named together', () => {
  expect(lines({ anyOf: [{ type: 'string' }, { type: 'array' }] }, 3)).toEqual([
    ': expected string or array, got number 3',
  ])
})

test('of alternatives, the one meant for this type of value tells what is wrong', () => {
  const schema = { anyOf: [{ type: 'string' }, { type: 'object', required: ['a'] }] }
  expect(lines(schema, {})).toEqual(['/a: is required and missing; expected a value'])
})

test('of alternatives behind references, the one meant tells what is wrong', () => {
  const schema = {
    $defs: { size: { enum: ['s', 'm'] } },
    anyOf: [{ $ref: '#/$defs/size' }, { type: 'array' }],
  }
  expect(lines(schema, 'xl')).toEqual([': expected "s" or "m", got string "xl"'])
})

test('of alternatives told apart by a constant, the one that agrees tells what is wrong', () => {
  const of = (kind: string, type: string): JsonSchema => ({
    type: 'object',
    properties: { kind: { const: kind }, value: { type } },
  })
  const schema = { oneOf: [of('a', 'number'), of('b', 'string')] }
  expect(lines(schema, { kind: 'a', value: 'x' })).toEqual([
    '/value: expected number, got string "x"',
  ])
})

const object = (properties: object, more: object = {}): JsonSchema => ({
  type: 'object',
  properties,
  ...more,
})

test.for<[string, JsonSchema[], unknown, string]>([
  [
    'all constants of one agree, and one of another',
    [
      object({ k: { const: 'a' }, v: { const: 1 }, x: { type: 'string' } }),
      object({ k: { const: 'b' }, v: { const: 1 }, x: { type: 'string' } }),
    ],
    { k: 'b', v: 1, x: 7 },
    '/x: expected string, got number 7',
  ],
  [
    'one names no properties and one agrees',
    [{ type: 'object', required: ['z'] }, object({ k: { const: 'a' }, x: { type: 'string' } })],
    { k: 'a', x: 7 },
    '/x: expected string, got number 7',
  ],
  [
    'one has no constants',
    [object({ x: { type: 'string' } }), object({ k: { const: 'a' } })],
    { k: 'b', x: 7 },
    ': expected object, got object with k, x',
  ],
  [
    'constants are missing in the value',
    [
      object({ k: { const: 'a' } }, { required: ['k'] }),
      object({ k: { const: 'b' } }, { not: {} }),
    ],
    {},
    ': expected object, got empty object',
  ],
  [
    'no properties are named',
    [
      { type: 'object', required: ['a'] },
      { type: 'object', required: ['b'] },
    ],
    {},
    ': expected object, got empty object',
  ],
  [
    'a property is anything',
    [object({ k: true }, { not: {} }), object({ k: { const: 1 } }, { not: {} })],
    { k: 2 },
    ': expected object, got object with k',
  ],
  [
    'the value has no members',
    [
      { properties: { k: { const: 1 } }, not: {} },
      { properties: { k: { const: 2 } }, not: {} },
    ],
    null,
    ': expected a value, got null',
  ],
  ['one is for null', [{ type: 'null', not: {} }, { type: 'string' }], null, notFitting('null')],
  [
    'one is for lists',
    [{ type: 'array', not: {} }, { type: 'object' }],
    [],
    notFitting('array of 0'),
  ],
  [
    'one is for objects',
    [{ type: 'object', not: {} }, { type: 'array' }],
    {},
    notFitting('empty object'),
  ],
  [
    'one is for integers',
    [{ type: 'integer', not: {} }, { type: 'null' }],
    1,
    notFitting('number 1'),
  ],
  [
    'one is for numbers',
    [{ type: 'number', not: {} }, { type: 'null' }],
    1,
    notFitting('number 1'),
  ],
  [
    'one is for several types',
    [{ type: ['null', 'string'], not: {} }, false],
    'a',
    notFitting('string "a"'),
  ],
  ['one has no type', [{ not: {} }, { type: 'null' }], 'a', notFitting('string "a"')],
])('of alternatives of which %s, what helps is told', ([, anyOf, value, line]) => {
  expect(lines({ anyOf }, value)).toEqual([line])
})

function notFitting(got: string): string {
  return `: expected a value that does not fit the schema under "not", got ${got}`
}

test('a value that fits several of oneOf is told so', () => {
  expect(lines({ oneOf: [{ type: 'number' }, { minimum: 0 }] }, 1)).toEqual([
    ': expected a value that fits exactly one of the alternatives, got number 1, which fits several',
  ])
})

test('problems beside a failed choice are kept', () => {
  const schema = { maxLength: 1, anyOf: [{ const: 'x' }, { const: 'y' }] }
  expect(lines(schema, 'zz')).toEqual([
    ': expected "x" or "y", got string "zz"',
    ': expected at most 1 character, got 2',
  ])
})
