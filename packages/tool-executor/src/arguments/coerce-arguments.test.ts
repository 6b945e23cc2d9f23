import { expect, test } from 'vitest'
import type { JsonSchema } from '@toolblocks/protocol'
import { coerceArguments } from './coerce-arguments.ts'
import { fillDefaults } from './fill-defaults.ts'

const coerce = (schema: JsonSchema, value: unknown): unknown =>
  coerceArguments({ value }, { properties: { value: schema } })['value']

test.for<[JsonSchema, unknown, unknown]>([
  [{ type: 'integer' }, '3', 3],
  [{ type: 'integer' }, '3.5', '3.5'],
  [{ type: 'integer' }, '9007199254740993', '9007199254740993'],
  [{ type: 'number' }, '3', 3],
  [{ type: 'number' }, '3.5', 3.5],
  [{ type: 'boolean' }, 'true', true],
  [{ type: 'boolean' }, 'yes', 'yes'],
  [{ type: 'null' }, 'null', null],
  [{ type: 'array' }, '["a"]', ['a']],
  [{ type: 'object' }, '{"a":1}', { a: 1 }],
  [{ type: 'object' }, '["a"]', '["a"]'],
  [{ type: ['integer', 'null'] }, 'null', null],
  [{ type: 'string' }, '3', '3'],
  [{ type: ['string', 'integer'] }, '3', '3'],
  [{}, '3', '3'],
  [{ type: 'array', items: { type: 'integer' } }, ['1', 2], [1, 2]],
  [{ type: 'array', items: { type: 'integer' } }, '["1"]', [1]],
  [
    { type: 'object', properties: { a: { type: 'boolean' } } },
    { a: 'false', b: '1' },
    { a: false, b: '1' },
  ],
])('schema %j reads %j as %j', ([schema, value, expected]) => {
  expect(coerce(schema, value)).toEqual(expected)
})

test('a key named __proto__ stays a key', () => {
  const value = JSON.parse('{"__proto__": "1"}') as Record<string, unknown>
  const coerced = coerceArguments(value, { properties: {} })
  expect(Object.keys(coerced)).toEqual(['__proto__'])
  expect(Object.getPrototypeOf(coerced)).toBe(Object.prototype)
})

test('a missing parameter gets its default, a present one keeps its value', () => {
  const schema = { properties: { a: { default: 1 }, b: { default: 2 }, c: {} } }
  expect(fillDefaults({ b: null }, schema)).toEqual({ a: 1, b: null })
})

test('defaults reach into objects and list items that are there, and make none', () => {
  const inner = { type: 'object', properties: { deep: { default: true } } }
  const schema = { properties: { one: inner, many: { items: inner }, absent: inner } }
  expect(fillDefaults({ one: {}, many: [{}, { deep: false }] }, schema)).toEqual({
    one: { deep: true },
    many: [{ deep: true }, { deep: false }],
  })
})
