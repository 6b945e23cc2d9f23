import { expect, test } from 'vitest'
import {
  namedProperties,
  partsFor,
  schemaOfChild,
  getType,
  findTypes,
  viewSchema,
} from './schema-view.ts'

const text = { type: 'string' }
const number = { type: 'number' }

test('the schema of a child is that of the one part that names it, or all of them', () => {
  const parts = [
    { items: text, properties: { a: text } },
    {},
    { properties: { a: number, b: number } },
  ]
  expect(schemaOfChild(parts, 'items')).toEqual(text)
  expect(schemaOfChild(parts, { property: 'b' })).toEqual(number)
  expect(schemaOfChild(parts, { property: 'a' })).toEqual({ allOf: [text, number] })
  expect(schemaOfChild(parts, { property: 'c' })).toBeUndefined()
  expect(schemaOfChild(parts, { property: 'toString' })).toBeUndefined()
  expect(schemaOfChild([{}, { properties: 7 }], { property: 'a' })).toBeUndefined()
  expect(schemaOfChild([], 'items')).toBeUndefined()
})

test('properties that several parts name are named once', () => {
  const parts = [{ properties: { a: text, b: text } }, {}, { properties: { b: true, c: true } }]
  expect(namedProperties(parts)).toEqual(['a', 'b', 'c'])
  expect(namedProperties([{ properties: ['x'] }])).toEqual([])
})

test('a view has all parts that apply, and the alternatives separately', () => {
  const schema = {
    $ref: '#/$defs/a',
    allOf: [text, { anyOf: [number] }],
    anyOf: [],
    oneOf: [{ $ref: '#/$defs/b' }, { type: 'null' }],
    $defs: { a: { minLength: 1 }, b: { minLength: 2 } },
  }
  expect(viewSchema(schema, schema)).toEqual({
    parts: [schema, schema.$defs.a, ...schema.allOf],
    choices: [
      [
        { parts: [schema.oneOf[0], schema.$defs.b], choices: [] },
        { parts: [{ type: 'null' }], choices: [] },
      ],
      [{ parts: [number], choices: [] }],
    ],
  })
  for (const none of [true, undefined, 7, { allOf: 'x', anyOf: {} }])
    expect(viewSchema(none, true).choices).toEqual([])
})

test('of a schema the first 64 parts are read', () => {
  const allOf = Array.from({ length: 100 }, (_, index) => ({ minLength: index }))
  expect(viewSchema({ allOf }, true).parts).toHaveLength(64)
})

test.for<[object, readonly string[] | undefined]>([
  [{}, undefined],
  [{ type: 'string' }, ['string']],
  [{ type: ['string', 'null', 7] }, ['string', 'null']],
  [{ type: 7 }, undefined],
  [{ type: ['string', 'null'], allOf: [{ type: ['null', 'object'] }] }, ['null']],
  [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, ['string', 'null']],
  [{ anyOf: [{ type: 'string' }, {}] }, undefined],
  [{ type: 'string', anyOf: [{ type: 'string' }, { type: 'null' }] }, ['string']],
  [{ oneOf: [{ type: 'string' }], anyOf: [{ type: 'null' }] }, []],
])('the types of %j are %j', ([schema, types]) => {
  const typeNames = findTypes(viewSchema(schema, {}))
  expect(typeNames && [...typeNames]).toEqual(types)
})

test('an alternative applies if no other one accepts its type', () => {
  const object = { type: 'object' }
  const oneOf = [{ type: 'object' }, {}]
  const view = viewSchema({ anyOf: [object, { type: 'null' }], oneOf }, {})
  expect(partsFor(view, 'object')).toEqual([view.parts[0], object])
  expect(partsFor(view, 'null')).toEqual([view.parts[0], { type: 'null' }, {}])
  expect(partsFor(view, 'string')).toEqual([view.parts[0], {}])
})

test.for<[unknown, string]>([
  [null, 'null'],
  [[], 'array'],
  [{}, 'object'],
  ['', 'string'],
  [true, 'boolean'],
  [1, 'integer'],
  [1.5, 'number'],
  [2 ** 53, 'number'],
  [undefined, 'undefined'],
])('the type of %j is %s', ([value, type]) => {
  expect(getType(value)).toBe(type)
})
