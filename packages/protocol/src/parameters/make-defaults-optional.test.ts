import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeDefaultsOptional } from './make-defaults-optional.ts'

test('a property with a default is optional, and one without is required', () => {
  const schema = {
    type: 'object',
    properties: { scale: { enum: ['css', 'device'], default: 'css' }, name: { type: 'string' } },
    required: ['scale', 'name'],
  }
  expect(makeDefaultsOptional(schema)).toEqual({ ...schema, required: ['name'] })
})

test('also inside objects, lists, alternatives and definitions, and where the default is in the target of a reference', () => {
  const part = { properties: { n: { default: 4 } }, required: ['n'] }
  const optional = { properties: { n: { default: 4 } } }
  expect(
    makeDefaultsOptional({
      properties: {
        sub: { ...part, default: {} },
        list: { items: part },
        far: { $ref: '#/$defs/n' },
      },
      required: ['sub', 'list', 'far'],
      anyOf: [part, true],
      $defs: { n: { type: 'integer', default: 0 }, part },
    }),
  ).toEqual({
    properties: {
      sub: { ...optional, default: {} },
      list: { items: optional },
      far: { $ref: '#/$defs/n' },
    },
    required: ['list'],
    anyOf: [optional, true],
    $defs: { n: { type: 'integer', default: 0 }, part: optional },
  })
})

test('data that looks like a schema, and what is under "not", stay as they are; a property may be called "not"', () => {
  const part = { properties: { n: { default: 4 } }, required: ['n'] }
  const schema = { default: part, enum: [part], not: { anyOf: [part] } }
  expect(makeDefaultsOptional(schema)).toBe(schema)
  expect(makeDefaultsOptional({ properties: { not: part } })).toEqual({
    properties: { not: { properties: part.properties } },
  })
})

test.for([
  true,
  {},
  { required: ['a'] },
  { required: 'a', properties: { a: { default: 1 } } },
  { required: ['a', 3], properties: ['a'] },
  { required: ['a', 'toString'], properties: { a: { $ref: '#/nowhere' } } },
  { required: ['a'], properties: { a: { $ref: '#' } } },
])('a schema in which nothing changes is the same schema: %j', (schema) => {
  expect(makeDefaultsOptional(schema)).toBe(schema)
})

test('a schema is never changed in place, and a second time nothing changes', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom('properties', 'required', 'not', 'items'), fc.jsonValue()),
      (schema) => {
        const before = structuredClone(schema)
        const optional = makeDefaultsOptional(schema)
        expect(schema).toEqual(before)
        expect(makeDefaultsOptional(optional)).toBe(optional)
      },
    ),
  )
})
