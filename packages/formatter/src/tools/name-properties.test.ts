import type { JsonObject } from '@toolblocks/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nameProperties } from './name-properties.ts'

const rule = { marks: '_', startsWithLetter: true, maxLength: 64, isDeep: true }

function named(properties: JsonObject, more: JsonObject = {}) {
  return nameProperties({ type: 'object', properties, ...more }, rule)
}

test('names below the root are changed everywhere in the schema, and reported with their places', () => {
  const inside = {
    type: 'object',
    properties: { 'b.c': {}, d: {} },
    required: ['b.c'],
    dependentRequired: { 'b.c': ['d'] },
  }
  const { schema, changes } = named({ a: { type: 'array', items: inside } })
  expect(schema).toEqual({
    type: 'object',
    properties: {
      a: {
        type: 'array',
        items: {
          type: 'object',
          properties: { b_c: {}, d: {} },
          required: ['b_c'],
          dependentRequired: { b_c: ['d'] },
        },
      },
    },
  })
  expect(changes).toMatchObject([
    { path: '/properties/a/items/properties/b.c', code: 'parameter-renamed' },
  ])
})

test('references through a renamed property still resolve to the same schema', () => {
  const { schema } = named({ 'a.b': { type: 'string' }, c: { $ref: '#/properties/a.b' } })
  expect(schema['properties']).toEqual({ a_b: { type: 'string' }, c: { $ref: '#/properties/a_b' } })
})

test('arguments are converted back to the names of the tool, through items, branches and references', () => {
  const more = {
    $defs: { node: { properties: { 'x.y': {}, 'next.node': { $ref: '#/$defs/node' } } } },
  }
  const { parameters } = named(
    {
      list: { items: { anyOf: [{ type: 'string' }, { $ref: '#/$defs/node' }] } },
      map: { type: 'object', additionalProperties: { $ref: '#/$defs/node' } },
    },
    more,
  )
  const theirs = {
    list: ['x_y', { x_y: 1, next_node: { x_y: 2 } }],
    map: { x_y: { x_y: 3 } },
  }
  const ours = {
    list: ['x_y', { 'x.y': 1, 'next.node': { 'x.y': 2 } }],
    // The key is the model's own.
    map: { x_y: { 'x.y': 3 } },
  }
  expect(parameters?.fromProvider(theirs)).toEqual(ours)
  expect(parameters?.toProvider(ours)).toEqual(theirs)
})

test('if a provider checks only the root, nested names are unchanged', () => {
  const properties = { 'a.b': { properties: { 'a.b': {} } }, c: { $ref: '#/properties/a.b' } }
  const { schema, parameters } = nameProperties(
    { type: 'object', properties },
    { ...rule, isDeep: false },
  )
  expect(schema['properties']).toEqual({
    a_b: { properties: { 'a.b': {} } },
    c: { $ref: '#/properties/a_b' },
  })
  expect(parameters?.fromProvider({ a_b: { 'a.b': 1 } })).toEqual({ 'a.b': { 'a.b': 1 } })
  expect(parameters?.toProvider({ 'a.b': { 'a.b': 1 } })).toEqual({ a_b: { 'a.b': 1 } })
})

test('law: arguments that the schema names are restored, and the provider receives only allowed names', () => {
  const name = fc.constantFrom('a', 'a.b', 'a_b', 'a b', '1', '__proto__', 'properties', '$ref')
  const { tree } = fc.letrec<{ tree: JsonObject; leaf: JsonObject }>((tie) => ({
    leaf: fc.constant({ type: 'number' }),
    tree: fc
      .dictionary(name, fc.oneof({ maxDepth: 3 }, tie('leaf'), tie('tree')), {
        maxKeys: 4,
        noNullPrototype: true,
      })
      .map((properties) => ({ type: 'object', properties })),
  }))
  fc.assert(
    fc.property(tree, (schema) => {
      const { schema: renamed, parameters } = nameProperties(
        { type: 'object', properties: schema['properties'] as JsonObject },
        rule,
      )
      const value = makeValue(schema) as JsonObject
      const theirs = parameters?.toProvider(value) ?? value
      expect(namesIn(theirs).every((each) => /^[A-Za-z_]\w*$/.test(each))).toBe(true)
      expect(namesIn(theirs)).toEqual(namesIn(makeValue(renamed)))
      expect(parameters?.fromProvider(theirs) ?? theirs).toEqual(value)
    }),
  )
})

/** A value with every property of a schema. */
function makeValue({ properties }: JsonObject): unknown {
  if (properties === undefined) return 1
  return Object.fromEntries(
    Object.entries(properties as Record<string, JsonObject>).map(([key, part]) => [
      key,
      makeValue(part),
    ]),
  )
}

function namesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]) => [key, ...namesIn(part)])
}
