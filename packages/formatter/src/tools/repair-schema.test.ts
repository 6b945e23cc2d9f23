import { expect, test } from 'vitest'
import { repairSchema } from './repair-schema.ts'

const rule = { marks: '_', startsWithLetter: true, maxLength: 64 }

test('a schema that providers take stays as it is', () => {
  const schema = { type: 'object', properties: { a: {} }, required: ['a'] }
  expect(repairSchema(schema, rule)).toEqual({ schema, changes: [] })
})

test('a root that is no object becomes one', () => {
  for (const given of [true, {}, { type: 'string' }]) {
    const { schema, changes } = repairSchema(given, rule)
    expect(schema).toEqual({ type: 'object', properties: {} })
    expect(changes.map(({ code }) => code)).toEqual(['root-replaced'])
  }
})

test('a root that is a reference becomes what it names', () => {
  const { schema } = repairSchema(
    { $ref: '#/$defs/a', $defs: { a: { type: 'object', properties: { b: {} } } } },
    rule,
  )
  expect(schema).toMatchObject({ type: 'object', properties: { b: {} }, $defs: {} })
  expect(schema).not.toHaveProperty('$ref')
})

test('composition at the root becomes optional properties, and words that keep it', () => {
  const anyOf = [
    { properties: { path: { type: 'string' } }, required: ['path'] },
    { properties: { uri: { type: 'string' } }, required: ['uri'] },
  ]
  const allOf = [{ properties: { depth: {} }, required: ['depth'] }]
  const { schema, changes } = repairSchema({ type: 'object', anyOf, allOf }, rule, '/x')
  expect(schema).toEqual({
    type: 'object',
    description: `The arguments must also match this JSON Schema: ${JSON.stringify({ allOf, anyOf })}`,
    properties: { depth: {}, path: { type: 'string' }, uri: { type: 'string' } },
    required: ['depth'],
  })
  expect(changes).toMatchObject([{ path: '/x', code: 'root-composition-moved' }])
})

test('property names that the rule does not take are changed, also where they are required', () => {
  const properties = { 'a.b': {}, a_b: {}, __proto__x: {} }
  const { schema, parameters, changes } = repairSchema(
    { type: 'object', properties, required: ['a.b'] },
    rule,
  )
  expect(schema).toMatchObject({ properties: { a_b_2: {}, a_b: {} }, required: ['a_b_2'] })
  expect(parameters?.fromProvider({ a_b_2: 1, a_b: 2 })).toEqual({ 'a.b': 1, a_b: 2 })
  expect(changes).toMatchObject([{ path: '/properties/a.b', code: 'parameter-renamed' }])
})

test('a property with the name of an inherited one is one', () => {
  const given: unknown = JSON.parse(
    '{"anyOf":[{"properties":{"__proto__":{"type":"string"}}}],"type":"object"}',
  )
  const { schema } = repairSchema(given as object as { [keyword: string]: unknown }, rule)
  expect(Object.keys(schema['properties'] as object)).toEqual(['__proto__'])
})
