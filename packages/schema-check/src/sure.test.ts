import type { JsonSchema } from '@toolblocks/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileSchema } from './compile-schema.ts'
import { isSurelySchema, isSurelyValid } from './sure.ts'

const type = fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'array', 'object')
/** What may stand where a keyword wants something else, once in a while. */
const odd = fc.constantFrom<unknown>('strng', -1, 0.5, null, [], ['a', 'a'], {}, true, '#/$defs/b')
const name = fc.constantFrom('a', 'b', 'c')
const scalar = fc.oneof(
  fc.constantFrom<unknown>('', 'x', '😀', null, true, false),
  fc.integer({ min: -2, max: 3 }),
  fc.constantFrom(0.5, -0),
)
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 3 }),
  ),
}))
const keyword = fc.constantFrom(
  '$ref',
  '$schema',
  'additionalProperties',
  'allOf',
  'anyOf',
  'default',
  'deprecated',
  'description',
  'enum',
  'examples',
  'items',
  'maxItems',
  'maximum',
  'minLength',
  'properties',
  'required',
  'type',
)
const { schema } = fc.letrec<{ schema: JsonSchema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    fc.boolean(),
    fc.record(
      {
        type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
        const: value,
        enum: fc.array(value, { minLength: 1, maxLength: 3 }),
        required: fc.uniqueArray(name),
        properties: fc.dictionary(name, tie('schema')),
        additionalProperties: tie('schema'),
        patternProperties: fc.dictionary(fc.constantFrom('^a', 'b$'), tie('schema'), {
          maxKeys: 1,
        }),
        items: tie('schema'),
        prefixItems: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
        anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
        allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
        oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
        not: tie('schema'),
        minimum: fc.integer({ min: -1, max: 2 }),
        maximum: fc.integer({ min: -1, max: 2 }),
        minItems: fc.nat(2),
        maxItems: fc.nat(2),
        exclusiveMinimum: fc.integer({ min: -1, max: 2 }),
        exclusiveMaximum: fc.integer({ min: -1, max: 2 }),
        minLength: fc.nat(2),
        maxLength: fc.nat(2),
        description: fc.string(),
        $ref: fc.constant('#'),
      },
      { requiredKeys: [] },
    ),
  ),
}))

/** Half of the schemas have one keyword that says something odd. */
const oddSchema = fc.tuple(schema, fc.option(fc.tuple(keyword, odd))).map(([given, change]) => {
  if (!change || typeof given !== 'object') return given
  const [key, said] = change
  return { ...given, $defs: { b: { $ref: '#/$defs/b' } }, [key]: said }
})

test('what is surely a schema is one that can be used, and what is surely valid is valid for the thorough check', () => {
  const sure = { given: 0, schemas: 0, values: 0 }
  fc.assert(
    fc.property(oddSchema, value, (given, probe) => {
      sure.given += 1
      const isSure = isSurelyValid(probe, given)
      if (!isSurelySchema(given)) return !isSure
      sure.schemas += 1
      const compiled = compileSchema(given)
      expect(compiled).toMatchObject({ ok: true })
      expect(compiled).not.toHaveProperty('unusable')
      if (!compiled.ok || !isSure) return true
      sure.values += 1
      return compiled.check(probe).verdict === 'valid'
    }),
    { numRuns: 3000 },
  )
  expect(sure.schemas).toBeGreaterThan(sure.given / 15)
  expect(sure.values).toBeGreaterThan(sure.given / 30)
})

test.for<[unknown, JsonSchema]>([
  [{ path: 'a' }, { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }],
  [{ mode: 'b' }, { properties: { mode: { enum: ['a', 'b'] } }, additionalProperties: false }],
  [[1, 2], { type: 'array', items: { type: 'integer' }, minItems: 1 }],
  [{ n: null }, { properties: { n: { anyOf: [{ type: 'number' }, { type: 'null' }] } } }],
  [{ p: { p: {} } }, { type: 'object', properties: { p: { $ref: '#' } } }],
])('most arguments need no thorough check: %j', ([given, by]) => {
  expect(isSurelyValid(given, by)).toBe(true)
})

test('a schema that never comes to an end is left to the thorough check', () => {
  expect(isSurelyValid({}, { $ref: '#' })).toBe(false)
  const branches = { anyOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/a' }] }
  const deep = { $defs: { a: { properties: { p: branches }, not: {} } }, ...branches }
  let given = {}
  for (let depth = 0; depth < 60; depth++) given = { p: given }
  expect(isSurelyValid(given, deep)).toBe(false)
})
