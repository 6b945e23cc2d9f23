import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findNonJson } from './find-non-json.ts'

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
])('%s is named with its place', ([, value, path, got]) => {
  expect(findNonJson(value)).toMatchObject({ path, got })
})

test('a cycle and a nesting without end are over a limit', () => {
  expect(findNonJson(cycle)?.got).toBe('more than 64 levels, or a cycle')
  const deep: unknown = JSON.parse('['.repeat(10_000) + ']'.repeat(10_000))
  expect(findNonJson(deep)?.got).toBe('more than 64 levels, or a cycle')
})

test('too many values are over a limit', () => {
  expect(findNonJson(Array.from({ length: 1_000_001 }, () => 0))?.got).toBe(
    'more than 1000000 values',
  )
})

test('JSON is found nothing in, and a field that is undefined counts as absent', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(findNonJson(value)).toBeUndefined()
    }),
  )
  expect(findNonJson({ a: undefined })).toBeUndefined()
})
