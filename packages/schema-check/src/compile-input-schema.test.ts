import type { JsonSchema } from '@toolblocks/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileInputSchema } from './compile-input-schema.ts'
import { type CheckedValue, compileSchema } from './compile-schema.ts'

function check(schema: JsonSchema, value: unknown): CheckedValue {
  const compiled = compileInputSchema(schema)
  if (!compiled.ok) throw new Error('the schema is invalid')
  return compiled.check(value)
}

/** What Zod 4 writes for `z.object({scale: z.enum([…]).default('css'), sub: z.object({n: z.number().default(4)}).default({})})`. */
const ZOD = {
  type: 'object',
  properties: {
    scale: { type: 'string', enum: ['css', 'device'], default: 'css' },
    sub: {
      type: 'object',
      properties: { n: { type: 'number', default: 4 } },
      required: ['n'],
      additionalProperties: false,
      default: {},
    },
    name: { type: 'string' },
  },
  required: ['scale', 'sub', 'name'],
  additionalProperties: false,
}

test.for([
  [{ name: 'a' }],
  [{ name: 'a', sub: {} }],
  [{ name: 'a', scale: 'device', sub: { n: 5 } }],
])('a required property with a default may be absent, at every depth: %j', ([value]) => {
  expect(check(ZOD, value)).toEqual({ verdict: 'valid', problems: [] })
})

test('what is wrong is named, without the properties that may be absent', () => {
  const { verdict, problems } = check(ZOD, { sub: { n: 'x' }, other: 1 })
  expect([verdict, problems.map(({ path }) => path).toSorted()]).toEqual([
    'invalid',
    ['/name', '/other', '/sub/n'],
  ])
})

test('exactly one alternative still matches where it did before', () => {
  const one = { properties: { a: { default: 1 } }, required: ['a'] }
  const other = { properties: { b: { default: 1 } }, required: ['b'] }
  expect(check({ oneOf: [one, other] }, { a: 2 }).verdict).toBe('valid')
  expect(check({ oneOf: [one, other] }, { a: 2, b: 2 }).verdict).toBe('invalid')
})

test('an invalid schema means what a model receives', () => {
  const schema = {
    type: 'Object',
    properties: { coin: { type: 'str' }, size: { type: 'strng' }, required: ['coin'] },
  }
  expect(check(schema, { coin: 'a', size: 3 })).toEqual({ verdict: 'valid', problems: [] })
  expect(check(schema, { coin: 3 }).problems).toMatchObject([{ path: '/coin', code: 'type' }])
  expect(check(schema, {}).problems).toMatchObject([{ path: '/coin', code: 'required' }])
})

test('a value that a contradiction refuses is accepted, and one that the schema accepts stays valid', () => {
  const letter = { enum: ['A', 'B'] }
  const schema = {
    properties: {
      a: {
        anyOf: [
          { type: 'string', ...letter },
          { type: 'null', ...letter },
        ],
      },
    },
  }
  for (const a of ['A', null]) expect(check(schema, { a }).verdict).toBe('valid')
  expect(check(schema, { a: 'C' }).verdict).toBe('invalid')
})

test('what is no schema is invalid, and a schema that cannot be used checks nothing', () => {
  expect(compileInputSchema('x' as never)).toMatchObject({ ok: false })
  expect(check({ $schema: 'https://example.org/other' }, {}).verdict).toBe('unchecked')
})

test('law: what the schema accepts is accepted', () => {
  const property = fc.oneof(
    fc.constant({ type: 'integer', default: 1 }),
    fc.constant({ type: 'integer' }),
  )
  const object = fc.record({
    properties: fc.dictionary(fc.constantFrom('a', 'b', 'c'), property),
    required: fc.uniqueArray(fc.constantFrom('a', 'b', 'c')),
  })
  const schema = fc.oneof(
    object,
    fc.record({ oneOf: fc.array(object, { minLength: 1, maxLength: 3 }) }),
    fc.record({ not: object }),
    fc
      .tuple(object, object, object)
      .map((parts) =>
        Object.fromEntries(['if', 'then', 'else'].map((key, index) => [key, parts[index]])),
      ),
  )
  const value = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom(1, 'x'))
  fc.assert(
    fc.property(schema, value, (inputSchema, values) => {
      const compiled = compileSchema(inputSchema)
      if (!compiled.ok || compiled.check(values).verdict !== 'valid') return
      expect(check(inputSchema, values).verdict).toBe('valid')
    }),
  )
})
