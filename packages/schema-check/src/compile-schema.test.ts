import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonSchema } from '@toolblocks/protocol'
import { compileSchema } from './compile-schema.ts'
import type { Checked } from './check-value.ts'

function check(schema: JsonSchema, value: unknown): Checked {
  const compiled = compileSchema(schema)
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems))
  return compiled.check(value)
}

const verdict = (schema: JsonSchema, value: unknown): string => check(schema, value).verdict

test('a value that fits is valid, without problems', () => {
  expect(check({ type: 'object', required: ['a'] }, { a: 1 })).toEqual({
    verdict: 'valid',
    problems: [],
  })
})

test('true allows everything and false nothing', () => {
  expect(verdict(true, { any: 'thing' })).toBe('valid')
  expect(check(false, 1)).toMatchObject({
    verdict: 'invalid',
    problems: [{ path: '', message: 'is not allowed' }],
  })
})

test('what is no schema is told apart, with the place', () => {
  const compiled = compileSchema({ properties: { a: { type: 'strng' } } })
  expect(compiled).toMatchObject({ ok: false, problems: [{ path: '/properties/a/type' }] })
  const list: unknown = []
  expect(compileSchema(list as JsonSchema)).toMatchObject({
    ok: false,
    problems: [{ code: 'not-a-schema', got: 'array' }],
  })
})

test('2020-12 is the dialect where $schema does not say', () => {
  expect(verdict({ prefixItems: [{ type: 'string' }] }, [1])).toBe('invalid')
})

test('draft-07 is read where $schema says so', () => {
  const $schema = 'http://json-schema.org/draft-07/schema#'
  expect(verdict({ $schema, items: [{ type: 'string' }] }, [1])).toBe('invalid')
  expect(verdict({ $schema, dependencies: { a: ['b'] } }, { a: 1 })).toBe('invalid')
})

test('another dialect is unchecked, with the reason', () => {
  const schema = { $schema: 'http://json-schema.org/draft-04/schema#', type: 'string' }
  expect(check(schema, 'x')).toMatchObject({
    verdict: 'unchecked',
    problems: [{ path: '/$schema', code: 'schema-dialect' }],
  })
})

test('formats are checked, unknown ones ignored', () => {
  expect(verdict({ format: 'email' }, 'nobody')).toBe('invalid')
  expect(verdict({ format: 'date' }, '2026-11-21')).toBe('valid')
  expect(verdict({ format: 'of-our-own' }, 'anything')).toBe('valid')
})

test('a property that only the prototype has is missing', () => {
  expect(verdict({ required: ['toString'] }, {})).toBe('invalid')
  expect(verdict({ properties: { constructor: { type: 'string' } } }, {})).toBe('valid')
})

test('two schemas with the same $id do not meet', () => {
  expect(verdict({ $id: 'https://example.com/a', type: 'string' }, 1)).toBe('invalid')
  expect(verdict({ $id: 'https://example.com/a', type: 'number' }, 1)).toBe('valid')
})

test('many patterns on one engine stay different patterns', () => {
  for (let index = 0; index < 200; index++) {
    const schema = { pattern: `^a{${index}}$` }
    expect(verdict(schema, 'a'.repeat(index))).toBe('valid')
    expect(verdict(schema, 'a'.repeat(index + 1))).toBe('invalid')
  }
})

test('patterns mean what they mean in ECMAScript', () => {
  expect(verdict({ pattern: '^[\\u4e00-\\u9fa5]+$' }, '世界')).toBe('valid')
  expect(verdict({ pattern: '^\\d{4}-\\d{2}$' }, '2026-11')).toBe('valid')
  expect(verdict({ pattern: '^(?<name>\\w+)\\/$' }, 'abc/')).toBe('valid')
})

test('the same schema is compiled once, whether as an object or as its text', () => {
  const schema = { type: 'string' }
  expect(compileSchema(schema)).toBe(compileSchema(schema))
  expect(compileSchema({ type: 'string', minLength: 4 })).toBe(
    compileSchema({ type: 'string', minLength: 4 }),
  )
})

test('limits can be set', () => {
  const compiled = compileSchema({ enum: [1, 2, 3] }, { limits: { enumValues: 2 } })
  expect(compiled.ok && compiled.check(1).verdict).toBe('unchecked')
})

test('no schema and no value makes it throw', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (schema, value) => {
      const compiled = compileSchema(schema as JsonSchema)
      if (compiled.ok) compiled.check(value)
    }),
    { numRuns: 500 },
  )
})

const simpleSchema = fc.oneof(
  fc.record({ type: fc.constantFrom('string', 'number', 'integer', 'boolean', 'null') }),
  fc.record({ enum: fc.uniqueArray(fc.integer({ min: 0, max: 9 }), { minLength: 1 }) }),
  fc.record({ type: fc.constant('string'), maxLength: fc.nat(5) }),
  fc.record({
    type: fc.constant('object'),
    properties: fc.dictionary(
      fc.constantFrom('a', 'b'),
      fc.record({ type: fc.constantFrom('string', 'integer') }),
    ),
    required: fc.uniqueArray(fc.constantFrom('a', 'b')),
    additionalProperties: fc.boolean(),
  }),
  fc.record({
    anyOf: fc.array(fc.record({ type: fc.constantFrom('string', 'array') }), { minLength: 1 }),
  }),
)
const simpleValue = fc.oneof(
  fc.integer({ min: 0, max: 9 }),
  fc.string({ maxLength: 8 }),
  fc.constantFrom(null, true, []),
  fc.dictionary(
    fc.constantFrom('a', 'b', 'c'),
    fc.oneof(fc.string({ maxLength: 3 }), fc.integer()),
  ),
)

const ajv = new Ajv2020({ strict: false })

test('verdicts agree with plain Ajv, and a problem is named exactly when the value is invalid', () => {
  fc.assert(
    fc.property(simpleSchema, simpleValue, (schema, value) => {
      const { verdict: ours, problems } = check(schema, value)
      const theirs = ajv.validate(schema, value)
      expect(ours).toBe(theirs ? 'valid' : 'invalid')
      expect(problems.length > 0).toBe(!theirs)
    }),
    { numRuns: 300 },
  )
})
