import fc from 'fast-check'
import { expect, test } from 'vitest'
import { collectSubschemas } from '../lint/collect-subschemas.ts'
import { schemasAndValues } from '../schema-law.suite.ts'
import { createStepCounter } from './count-steps.ts'
import { measureSmall } from './measure-small.ts'
import { ceilingOf } from './work-ceiling.ts'

const ceiling = (schema: unknown) => ceilingOf(schema, collectSubschemas(schema, 1000).applied)

test('law: where there is a ceiling, no small value takes more steps', () => {
  let given = 0
  let compared = 0
  const holds = (schema: unknown, value: unknown): boolean => {
    given += 1
    const size = measureSmall(value)
    const most = size && ceiling(schema)?.(size)
    if (most === undefined) return true
    compared += 1
    const counted = createStepCounter(schema, { resolve: () => undefined, keepsEvaluated: false })
    return (counted(value, 1e12) ?? Infinity) <= most
  }
  const law = fc.property(schemasAndValues, ([{ $defs: _$defs, ...schema }, values]) =>
    values.every((value) => holds(schema, value)),
  )
  fc.assert(law, { numRuns: 2000 })
  expect(compared).toBeGreaterThan(given / 16)
})

test.for([
  ['the densest list of alternatives', { anyOf: Array.from({ length: 500 }, () => ({})) }, 1],
  ['a large pattern', { items: { pattern: '^[a-z]{500}[!?]' } }, ['x'.repeat(1000)]],
  ['names of members', { propertyNames: { pattern: 'a[ab]{30}!' } }, { ['a'.repeat(1000)]: 1 }],
] as const)('holds for %s', ([, schema, value]) => {
  const size = measureSmall(value)
  const counted = createStepCounter(schema, { resolve: () => undefined, keepsEvaluated: false })
  expect(counted(value, 1e12)).toBeLessThanOrEqual((size && ceiling(schema)?.(size)) ?? 0)
})

test.for([
  ['references', { items: { $ref: '#' } }],
  ['patterns of names', { patternProperties: { a: true } }],
  ['items that must differ', { uniqueItems: true }],
  ['values to compare', { items: { enum: [[1]] } }],
  ['a format that goes back', { format: 'url' }],
  ['evaluated members', { unevaluatedProperties: false }],
] as const)('there is no ceiling for %s', ([, schema]) => {
  expect(ceiling(schema)).toBeUndefined()
})

test('a value of 64 values and names is small, one more is not', () => {
  const row = (count: number): unknown[] => Array.from({ length: count }, () => 'ab')
  expect(measureSmall(row(63))).toEqual({ values: 64, characters: 126 })
  expect(measureSmall(row(64))).toBeUndefined()
  expect(measureSmall({ a: { b: 'c' } })).toEqual({ values: 5, characters: 3 })
  expect(measureSmall(row(100_000))).toBeUndefined()
})
