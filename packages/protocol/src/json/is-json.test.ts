import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isJsonSchema, isJsonValue } from './is-json.ts'
import { MAX_JSON_DEPTH, MAX_JSON_NODES } from '../limits.ts'

describe('isJsonValue', () => {
  test('accepts whatever JSON.parse gives', () => {
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

  test('accepts what is as deep as the limit, not what is deeper', () => {
    const nested = (depth: number): unknown =>
      JSON.parse('['.repeat(depth) + '1' + ']'.repeat(depth))
    expect(isJsonValue(nested(MAX_JSON_DEPTH))).toBe(true)
    expect(isJsonValue(nested(MAX_JSON_DEPTH + 1))).toBe(false)
    expect(isJsonValue(nested(1_000_000))).toBe(false)
  })

  test('accepts as many values as the limit, not more', () => {
    const values = Array.from({ length: MAX_JSON_NODES - 1 }, () => 0)
    expect(isJsonValue(values)).toBe(true)
    expect(isJsonValue([...values, 0])).toBe(false)
  })
})

test('a JSON Schema is an object or a boolean', () => {
  expect([{}, { type: 'string' }, true, false].every(isJsonSchema)).toBe(true)
  expect([null, [], 'string', 1, undefined].some(isJsonSchema)).toBe(false)
})
