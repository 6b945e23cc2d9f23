import { expect, test } from 'vitest'
import type { JsonSchema } from '@toolblocks/protocol'
import { lines, problems } from './explain.suite.ts'

test('a problem has a path, a line, what was expected, what came, and a code', () => {
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
    '/ab: expected a property name that fits the schema, got "ab"',
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
  ['format', { format: 'date' }, 'soon', ': not a date such as 2026-01-31: "soon"'],
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
    ': expected a value that fits one of 6 alternatives, got number 0',
  ],
  ['small', { minimum: 3 }, 2, ': expected a number >= 3, got number 2'],
  ['step', { multipleOf: 5 }, 7, ': expected a multiple of 5, got number 7'],
  [
    'alike',
    { uniqueItems: true },
    [1, 2, 1],
    ': expected items that all differ, got items 0 and 2 alike',
  ],
  [
    'not',
    { not: {} },
    { a: 1 },
    ': expected a value that does not fit the schema under "not", got object with a',
  ],
  [
    'contains',
    { contains: { const: 1 } },
    [2],
    '/0: expected 1, got number 2',
    ': expected a value that fits the schema (must contain at least 1 valid item(s)), got array of 1',
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

test('at most twenty problems are named, and the rest counted', () => {
  const found = problems(
    { items: { type: 'string' } },
    Array.from({ length: 50 }, () => 1),
  )
  expect(found).toHaveLength(20)
  expect(found.at(-1)?.message).toBe('31 more problems')
})

test('a long value is shown shortened', () => {
  const [problem] = problems({ type: 'number' }, 'x'.repeat(1000))
  expect(problem?.got?.length).toBeLessThan(80)
})

test('of a condition only what fails inside it is named', () => {
  const schema = JSON.parse('{"if":{"minimum":1},"then":{"maximum":5},"else":{"minimum":0}}')
  expect(lines(schema, 7)).toEqual([': expected a number <= 5, got number 7'])
})

test('the same problem, found twice, is named once', () => {
  expect(lines({ allOf: [{ type: 'string' }, { type: 'string' }] }, 1)).toEqual([
    ': expected string, got number 1',
  ])
})

test('of a value with thousands of problems twenty lines are made, and the rest counted', () => {
  const found = problems(
    { items: { type: 'string' } },
    Array.from({ length: 5000 }, () => 1),
  )
  expect(found).toHaveLength(20)
  expect(found.at(-1)?.message).toBe('4981 more problems')
})
