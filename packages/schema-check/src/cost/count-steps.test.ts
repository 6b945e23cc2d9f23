import { followReference } from '@toolblocks/protocol/internal'
import { expect, test } from 'vitest'
import { createStepCounter } from './count-steps.ts'
import { isDeeperThan } from './measure-json.ts'

function steps(schema: unknown, value: unknown, limit = 1e12): number | undefined {
  const resolve = (reference: string): unknown => followReference(schema, reference)?.schema
  const keepsEvaluated = JSON.stringify(schema).includes('unevaluated')
  return createStepCounter(schema, { resolve, keepsEvaluated })(value, limit)
}

const list = (count: number, item: unknown): unknown[] => Array.from({ length: count }, () => item)

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `p${index}`)

const members = (count: number, member: unknown): Record<string, unknown> =>
  Object.fromEntries(names(count).map((name) => [name, member]))

const nested = (depth: number): unknown => {
  let value: unknown = 1
  for (let level = 0; level < depth; level++) value = [value]
  return value
}

const LARGE: readonly [string, unknown, unknown, number][] = [
  ['required names', { items: { required: names(100) } }, list(100, {}), 100 * 100],
  ['properties', { items: { properties: members(100, {}) } }, list(100, {}), 100 * 100],
  ['dependent names', { items: { dependentRequired: { a: names(100) } } }, list(100, {}), 1e4],
  ['alternatives', { items: { anyOf: list(100, { type: 'null' }) } }, list(100, 1), 1e4],
  ['schemas of names', { propertyNames: { allOf: list(100, true) } }, members(100, 1), 1e4],
  ['patterns of names', { patternProperties: { '^[a-z]+$': true } }, members(1000, 1), 5e3],
  ['other members', { additionalProperties: { allOf: list(100, true) } }, members(100, 1), 1e4],
  ['items of a tuple', { prefixItems: list(100, { allOf: list(100, true) }) }, list(100, 1), 1e4],
  ['contained items', { contains: { oneOf: list(100, true) } }, list(100, 1), 1e4],
  ['values to compare', { const: list(100, 0) }, list(10_000, 0), 1e4],
  ['items to compare', { uniqueItems: true }, list(1000, { a: 1 }), 2000],
  ['texts to compare', { uniqueItems: true }, list(100, 'x'.repeat(1000)), 25_000],
  ['a length', { maxLength: 1 }, 'x'.repeat(1e4), 1e4],
  ['a pattern', { pattern: 'a[ab]{100}[!?]' }, 'x'.repeat(1000), 1e5],
  ['a format', { format: 'email' }, 'x'.repeat(1e4), 1e4],
  ['a format that goes back', { format: 'url' }, 'x'.repeat(1e4), 1e7],
  ['a least number of members', { minProperties: 1 }, members(1000, 1), 4000],
  ['a largest number of members', { maxProperties: 1 }, members(1000, 1), 4000],
  ['names of members', { propertyNames: { maxLength: 1 } }, members(1000, 1), 4000],
  ['evaluated members', { unevaluatedProperties: false }, members(100, 1), 1000],
  // oxlint-disable-next-line unicorn/no-thenable
  ['a condition', { if: { minLength: 1 }, then: { maxLength: 1 } }, 'x'.repeat(1e4), 2e4],
  ['a negation', { not: { maxLength: 1 } }, 'x'.repeat(1e4), 1e4],
  ['a dependent schema', { dependentSchemas: { p0: { allOf: list(100, true) } } }, { p0: 1 }, 100],
]

test.for(LARGE)('these are counted for every value: %s', ([, schema, value, atLeast]) => {
  expect(steps(schema, value)).toBeGreaterThanOrEqual(atLeast)
  expect(steps(schema, value)).toBeLessThan(atLeast * 50)
})

test('references that double with every level of the value double the count', () => {
  const schema = { anyOf: [{ items: { $ref: '#' } }, { items: { $ref: '#' } }] }
  const [ten, eleven] = [steps(schema, nested(10)) ?? 0, steps(schema, nested(11)) ?? 0]
  expect(eleven / ten).toBeCloseTo(2, 1)
})

test('counting stops at the limit: two to the power of a hundred steps are not counted', () => {
  const schema = { anyOf: [{ items: { $ref: '#' } }, { items: { $ref: '#' } }] }
  expect(steps(schema, nested(100), 10_000)).toBeUndefined()
})

test('the limit is inclusive', () => {
  const schema = { items: { type: 'string' } }
  const exact = steps(schema, list(10, 'a')) ?? 0
  expect(steps(schema, list(10, 'a'), exact)).toBe(exact)
  expect(steps(schema, list(10, 'a'), exact - 1)).toBeUndefined()
})

test('a member that no schema names costs nothing', () => {
  const schema = { properties: { a: { type: 'string' } } }
  expect(steps(schema, { a: 'x', b: list(1000, 1) })).toBe(steps(schema, { a: 'x' }))
})

test('an enum of scalars costs the same for any length', () => {
  expect(steps({ enum: names(1000) }, 'p1')).toBe(steps({ enum: names(2) }, 'p1'))
})

test('a text longer than a pattern can match is not read', () => {
  const schema = { pattern: '^[a-z]{1,64}$' }
  expect(steps(schema, 'x'.repeat(1e6))).toBeLessThan(100)
})

test.for<[unknown, number | undefined]>([
  ['a', undefined],
  [null, undefined],
  [[], 0],
  [{}, 0],
  [[1, [2]], 1],
  [{ a: { b: {} } }, 2],
  [[[], { a: [] }, 1], 2],
])('%j exceeds every limit below %s levels', ([value, levels]) => {
  for (const most of [-1, 0, 1, 2, 3])
    expect([most, isDeeperThan(value, most)]).toEqual([most, levels !== undefined && most < levels])
})
