import type { JsonSchema } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { lines, problems } from './explain.support.ts'

test('a problem has a path, a line, an expected and an actual value, and a code', () => {
  expect(problems({ properties: { n: { type: 'integer' } } }, { n: 'x' })).toEqual([
    {
      path: '/n',
      message: 'expected integer, got string "x"',
      expected: 'integer',
      got: 'string "x"',
      code: 'type',
    },
  ])
})

test.for<[string, JsonSchema, unknown, ...string[]]>([
  [
    'missing',
    { properties: { a: { type: 'string' } }, required: ['a'] },
    {},
    '/a: is required and missing; expected string',
  ],
  [
    'unknown',
    { properties: { a: {} }, additionalProperties: false },
    { b: 1 },
    '/b: is not a known property; expected only "a"',
  ],
  [
    'unevaluated',
    { unevaluatedProperties: false },
    { b: 1 },
    '/b: is not a known property; expected no properties',
  ],
  [
    'name',
    { propertyNames: { maxLength: 1 } },
    { ab: 1 },
    ': expected at most 1 character, got 2',
    '/ab: expected a property name that matches the schema, got "ab"',
  ],
  ['types', { type: ['string', 'null'] }, 1.5, ': expected string or null, got number 1.5'],
  ['enum', { enum: ['a', 'b', 3] }, 'c', ': expected "a", "b" or 3, got string "c"'],
  ['const', { const: { x: 1 } }, null, ': expected {"x":1}, got null'],
  [
    'pattern',
    { pattern: '^a' },
    'b',
    ': expected a string that matches the pattern ^a, got string "b"',
  ],
  ['format', { format: 'date' }, 'soon', ': not a date: "soon"; expected one such as 2026-05-31'],
  ['short', { minLength: 3 }, 'a💩', ': expected at least 3 characters, got 2'],
  ['many items', { maxItems: 1 }, [1, 2], ': expected at most 1 item, got array of 2'],
  ['few properties', { minProperties: 1 }, {}, ': expected at least 1 property, got empty object'],
  ['long', { maxLength: 1 }, '💩a', ': expected at most 1 character, got 2'],
  ['few items', { minItems: 2 }, [1], ': expected at least 2 items, got array of 1'],
  [
    'many properties',
    { maxProperties: 0 },
    { a: 1 },
    ': expected at most 0 properties, got object with a',
  ],
  ['large', { maximum: 3 }, 4, ': expected a number <= 3, got number 4'],
  ['at a bound', { exclusiveMinimum: 3 }, 3, ': expected a number > 3, got number 3'],
  ['at the other', { exclusiveMaximum: 3 }, 3, ': expected a number < 3, got number 3'],
  ['false', { properties: { a: false } }, { a: 1 }, '/a: is not allowed'],
  [
    'unknown beside several',
    { properties: { a: {}, b: {}, c: {} }, unevaluatedProperties: false },
    { d: 1 },
    '/d: is not a known property; expected only "a", "b" or "c"',
  ],
  [
    'missing of many types',
    { properties: { a: { type: ['string', 'null'] } }, required: ['a'] },
    {},
    '/a: is required and missing; expected string or null',
  ],
  [
    'missing of a few values',
    { properties: { a: { enum: ['x', 'y'] } }, required: ['a'] },
    {},
    '/a: is required and missing; expected "x" or "y"',
  ],
  [
    'missing of one value',
    { properties: { a: { const: 7 } }, required: ['a'] },
    {},
    '/a: is required and missing; expected 7',
  ],
  [
    'missing by a title',
    { properties: { a: { title: 'A path' } }, required: ['a'] },
    {},
    '/a: is required and missing; expected "A path"',
  ],
  [
    'missing without a description',
    { required: ['toString'] },
    {},
    '/toString: is required and missing; expected a value',
  ],
  [
    'a pattern that would break the line',
    { pattern: '^a\n' },
    'b',
    ': expected a string that matches the pattern "^a\\n", got string "b"',
  ],
  [
    'more values than are listed',
    { enum: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] },
    0,
    ': expected 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 or 2 more, got number 0',
  ],
  [
    'a long value',
    { const: ['x'.repeat(100)] },
    0,
    `: expected ["${'x'.repeat(58)}…, got number 0`,
  ],
  [
    'five alternatives',
    { anyOf: [1, 2, 3, 4, 5].map((value) => ({ const: value })) },
    0,
    ': expected 1, 2, 3, 4 or 5, got number 0',
  ],
  [
    'six alternatives',
    { anyOf: [1, 2, 3, 4, 5, 6].map((value) => ({ const: value })) },
    0,
    ': expected a value that matches one of 6 alternatives, got number 0',
  ],
  ['small', { minimum: 3 }, 2, ': expected a number >= 3, got number 2'],
  ['step', { multipleOf: 5 }, 7, ': expected a multiple of 5, got number 7'],
  ['alike', { uniqueItems: true }, [1, 2, 1], ': expected unique items, got items 0 and 2 alike'],
  [
    'not',
    { not: {} },
    { a: 1 },
    ': expected a value that does not match the schema under "not", got object with a',
  ],
  [
    'contains',
    { contains: { const: 1 } },
    [2],
    '/0: expected 1, got number 2',
    ': expected a value that matches the schema (must contain at least 1 valid item(s)), got array of 1',
  ],
  [
    'deep name',
    { properties: { 'a/b~': { type: 'null' } } },
    { 'a/b~': 1 },
    '/a~1b~0: expected null, got number 1',
  ],
])('%s', ([, schema, value, ...all]) => {
  expect(lines(schema, value)).toEqual(all)
})

test('at most twenty problems are reported, and the rest is counted', () => {
  const reported = problems(
    { items: { type: 'string' } },
    Array.from({ length: 50 }, () => 1),
  )
  expect(reported).toHaveLength(20)
  expect(reported.at(-1)?.message).toBe('31 more problems')
})

test('a long value is shortened', () => {
  const [problem] = problems({ type: 'number' }, 'x'.repeat(1000))
  expect(problem?.got?.length).toBeLessThan(80)
})

test('of a condition only the failures inside it are reported', () => {
  const schema = JSON.parse('{"if":{"minimum":1},"then":{"maximum":5},"else":{"minimum":0}}')
  expect(lines(schema, 7)).toEqual([': expected a number <= 5, got number 7'])
})

test('a problem that is found twice is reported once', () => {
  expect(lines({ allOf: [{ type: 'string' }, { type: 'string' }] }, 1)).toEqual([
    ': expected string, got number 1',
  ])
})

test('a value with thousands of problems gives twenty lines and the count of the rest', () => {
  const reported = problems(
    { items: { type: 'string' } },
    Array.from({ length: 5000 }, () => 1),
  )
  expect(reported).toHaveLength(20)
  expect(reported.at(-1)?.message).toBe('4981 more problems')
})

test('alternatives that all differ from the value are reported together', () => {
  expect(lines({ anyOf: [{ type: 'string' }, { type: 'array' }] }, 3)).toEqual([
    ': expected string or array, got number 3',
  ])
})

test('of alternatives, the one for this type of value is explained', () => {
  const schema = { anyOf: [{ type: 'string' }, { type: 'object', required: ['a'] }] }
  expect(lines(schema, {})).toEqual(['/a: is required and missing; expected a value'])
})

test('of alternatives behind references, the intended one is explained', () => {
  const schema = {
    $defs: { size: { enum: ['s', 'm'] } },
    anyOf: [{ $ref: '#/$defs/size' }, { type: 'array' }],
  }
  expect(lines(schema, 'xl')).toEqual([': expected "s" or "m", got string "xl"'])
})

test('for alternatives with different constants, a value without any of them gets the list of constants', () => {
  const createAlternative = (kind: string): object => ({
    type: 'object',
    required: ['kind'],
    properties: { kind: { const: kind } },
  })
  for (const keyword of ['anyOf', 'oneOf']) {
    const schema = {
      properties: {
        by: { [keyword]: [createAlternative('post'), createAlternative('courier'), { const: 0 }] },
      },
    }
    const objectsOnly = {
      properties: { by: { [keyword]: [createAlternative('post'), createAlternative('courier')] } },
    }
    expect(lines(objectsOnly, { by: { kind: 'ship' } })).toEqual([
      '/by/kind: expected "post" or "courier", got string "ship"',
    ])
    expect(lines(objectsOnly, { by: {} })).toEqual([
      '/by/kind: is required and missing; expected "post" or "courier"',
    ])
    // A further alternative without the constant: the property alone does not decide.
    expect(lines(schema, { by: { kind: 'ship' } })).toEqual([
      '/by: expected object or 0, got object with kind',
    ])
  }
})

test('for alternatives with different constants, the one whose constant matches is explained', () => {
  const createAlternative = (kind: string, type: string): JsonSchema => ({
    type: 'object',
    properties: { kind: { const: kind }, value: { type } },
  })
  const schema = { oneOf: [createAlternative('a', 'number'), createAlternative('b', 'string')] }
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
])('for alternatives of which %s, the helpful problem is reported', ([, anyOf, value, line]) => {
  expect(lines({ anyOf }, value)).toEqual([line])
})

function notFitting(got: string): string {
  return `: expected a value that does not match the schema under "not", got ${got}`
}

test('a value that matches several branches of oneOf is reported as such', () => {
  expect(lines({ oneOf: [{ type: 'number' }, { minimum: 0 }] }, 1)).toEqual([
    ': expected a value that matches exactly one of the alternatives, got number 1, which matches several',
  ])
})

test('problems beside a failed choice are kept', () => {
  const schema = { maxLength: 1, anyOf: [{ const: 'x' }, { const: 'y' }] }
  expect(lines(schema, 'zz')).toEqual([
    ': expected "x" or "y", got string "zz"',
    ': expected at most 1 character, got 2',
  ])
})
