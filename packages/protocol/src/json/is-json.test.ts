import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MAX_JSON_DEPTH, MAX_JSON_NODES } from '../limits/limits.ts'
import { findNonJson, isJsonSchema, isJsonValue } from './is-json.ts'

describe('isJsonValue', () => {
  test('accepts every value that JSON.parse returns', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(isJsonValue(JSON.parse(text))).toBe(true)
      }),
    )
  })

  test.for([
    ['undefined', undefined],
    ['undefined in an object', { a: undefined }],
    ['NaN', NaN],
    ['infinity', [Infinity]],
    ['a bigint', 1n],
    ['a symbol', Symbol('a')],
    ['a function', { a: () => 1 }],
    ['a date', new Date(0)],
    ['a map', new Map()],
    ['an instance', new URL('x:y')],
  ] as const)('refuses %s', ([, value]) => {
    expect(isJsonValue(value)).toBe(false)
  })

  test('accepts an object without prototype', () => {
    expect(isJsonValue(Object.assign(Object.create(null), { a: 1 }))).toBe(true)
  })

  test('refuses a hole in an array', () => {
    const sparse: unknown[] = []
    sparse.length = 1
    expect(isJsonValue(sparse)).toBe(false)
  })

  test('refuses a cycle', () => {
    const cycle: unknown[] = []
    cycle.push({ cycle })
    expect(isJsonValue(cycle)).toBe(false)
  })

  test('accepts the maximum depth, and refuses a greater one', () => {
    const nested = (depth: number): unknown =>
      JSON.parse('['.repeat(depth) + '1' + ']'.repeat(depth))
    expect(isJsonValue(nested(MAX_JSON_DEPTH))).toBe(true)
    expect(isJsonValue(nested(MAX_JSON_DEPTH + 1))).toBe(false)
    expect(isJsonValue(nested(1_000_000))).toBe(false)
  })

  test('accepts the maximum number of values, and refuses one more', () => {
    const values = Array.from({ length: MAX_JSON_NODES - 1 }, () => 0)
    expect(isJsonValue(values)).toBe(true)
    expect(isJsonValue([...values, 0])).toBe(false)
  })
})

test('a JSON Schema is an object or a boolean', () => {
  expect([{}, { type: 'string' }, true, false].every(isJsonSchema)).toBe(true)
  expect([null, [], 'string', 1, undefined].some(isJsonSchema)).toBe(false)
})

const cycle: unknown[] = []

cycle.push(cycle)

test.for<[string, unknown, string, string]>([
  ['a date', { a: [new Date(0)] }, '/a/0', 'an object of class Date'],
  ['a map', { 'a/b': new Map() }, '/a~1b', 'an object of class Map'],
  ['NaN', [NaN], '/0', 'the number NaN'],
  ['a big integer', { a: 1n }, '/a', 'a bigint'],
  ['a function', { a: () => 1 }, '/a', 'a function'],
  ['undefined in an array', [undefined], '/0', 'a undefined'],
  ['a hole', [1, , 2], '/1', 'a undefined'], // oxlint-disable-line no-sparse-arrays -- what is tested
])('%s is reported with its path', ([, value, path, got]) => {
  expect(findNonJson(value)).toMatchObject({ path, got })
})

test('a cycle and nesting without end exceed a limit', () => {
  expect(findNonJson(cycle)?.got).toBe('more than 64 levels, or a cycle')
  const deep: unknown = JSON.parse('['.repeat(10_000) + ']'.repeat(10_000))
  expect(findNonJson(deep)?.got).toBe('more than 64 levels, or a cycle')
})

test('too many values exceed a limit', () => {
  expect(findNonJson(Array.from({ length: 1_000_001 }, () => 0))?.got).toBe(
    'more than 1000000 values',
  )
})

test('valid JSON has no problem, and an undefined field counts as absent', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(findNonJson(value)).toBeUndefined()
    }),
  )
  expect(findNonJson({ a: undefined })).toBeUndefined()
})
