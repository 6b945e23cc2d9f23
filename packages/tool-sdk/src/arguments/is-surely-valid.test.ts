import type { JsonSchema } from '@toolblocks/protocol'
import { compileSchema } from '@toolblocks/schema-check'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isSurelyValid } from './is-surely-valid.ts'

const type = fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'array', 'object')
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

test('what is surely valid is valid for the thorough check too', () => {
  let sure = 0
  fc.assert(
    fc.property(schema, value, (given, probe) => {
      if (!isSurelyValid(probe, given)) return
      const compiled = compileSchema(given)
      if (!compiled.ok) return
      sure += 1
      expect(compiled.check(probe).verdict).not.toBe('invalid')
    }),
    { numRuns: 3000 },
  )
  expect(sure).toBeGreaterThan(100)
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
