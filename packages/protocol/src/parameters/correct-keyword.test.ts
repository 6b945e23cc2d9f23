import { expect, test } from 'vitest'
import { correctKeyword, correctNames, hasType, readTypeName } from './correct-keyword.ts'

test.for<[Parameters<typeof correctKeyword>[0], unknown, unknown]>([
  ['text', 'a', 'a'],
  ['text', 1, undefined],
  ['anchor', '_a.b-1', '_a.b-1'],
  ['anchor', '1a', undefined],
  ['anchor', 'a b', undefined],
  ['anchor', 1, undefined],
  ['boolean', true, true],
  ['boolean', false, false],
  ['boolean', 'true', true],
  ['boolean', 'false', false],
  ['boolean', 'yes', undefined],
  ['boolean', 1, undefined],
  ['number', 0, 0],
  ['number', '-1.5', -1.5],
  ['number', ' ', undefined],
  ['number', 'one', undefined],
  ['number', Infinity, undefined],
  ['number', true, undefined],
  ['positive-number', 0.1, 0.1],
  ['positive-number', '2', 2],
  ['positive-number', 0, undefined],
  ['positive-number', -1, undefined],
  ['positive-number', 'x', undefined],
  ['count', 0, 0],
  ['count', '3', 3],
  ['count', 1.5, undefined],
  ['count', -1, undefined],
  ['pattern', '^a$', '^a$'],
  ['pattern', '(', undefined],
  ['pattern', String.raw`\-`, undefined],
  ['pattern', 1, undefined],
  ['names', ['a', 1, 'b', 'a'], ['a', 'b']],
  ['names', 'a', ['a']],
  ['names', { a: 1 }, undefined],
  ['named-names', { a: ['b', 'b'], c: 'd', e: 1 }, { a: ['b'], c: ['d'] }],
  ['named-names', ['a'], undefined],
  ['list', [1], [1]],
  ['list', 'a', undefined],
  ['schema', 'for the caller', 'for the caller'],
  ['schemas', 1, 1],
  ['named-schemas', null, null],
  ['named-schemas-or-names', true, true],
])('%s: %j becomes %j', ([kind, value, expected]) => {
  expect(correctKeyword(kind, value)).toEqual(expected)
})

test('names of types are read in capitals, with spaces, and in other languages', () => {
  const read = ['STRING', ' Integer ', 'bool', 'dict', 'str', 'none', 'any', 'constructor', 1].map(
    readTypeName,
  )
  expect(read).toEqual([
    'string',
    'integer',
    'boolean',
    'object',
    'string',
    'null',
    undefined,
    undefined,
    undefined,
  ])
})

test('a value has one of several types', () => {
  const types = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']
  const fitting = [[], true, 1, null, 1.5, {}, 'a'].map((value) =>
    types.filter((type) => hasType(value, [type])),
  )
  expect(fitting).toEqual([
    ['array'],
    ['boolean'],
    ['integer', 'number'],
    ['null'],
    ['number'],
    ['object'],
    ['string'],
  ])
  expect(hasType('a', ['null', 'string'])).toBe(true)
  expect(hasType('a', [])).toBe(false)
})

test('one name stands for a list of it', () => {
  expect([correctNames('a'), correctNames([]), correctNames(null)]).toEqual([['a'], [], undefined])
})
