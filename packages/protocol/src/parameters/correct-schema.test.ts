import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonObject } from '../json/json.ts'
import { correctSchema } from './correct-schema.ts'

const LETTERS = ['A', 'B']

test.for<[string, JsonObject, JsonObject, readonly string[]]>([
  [
    'required among the properties',
    { properties: { coin: { type: 'string' }, required: ['coin', 'nothing'] } },
    { properties: { coin: { type: 'string' } }, required: ['coin'] },
    ['/properties/required'],
  ],
  [
    'a property that is called required',
    { properties: { required: { type: 'boolean' } } },
    { properties: { required: { type: 'boolean' } } },
    [],
  ],
  [
    'required at a property',
    { properties: { a: { type: 'string', required: true }, b: { required: false } } },
    { properties: { a: { type: 'string' }, b: {} }, required: ['a'] },
    ['/properties/a/required', '/properties/b/required'],
  ],
  [
    'names of a list among the properties that are not texts, not there, or the list itself',
    { properties: { a: {}, required: ['a', 1, 'required', 'toString'] } },
    { properties: { a: {} }, required: ['a'] },
    ['/properties/required'],
  ],
  [
    'an empty list among the properties',
    { properties: { a: {}, required: [] } },
    { properties: { a: {} } },
    ['/properties/required'],
  ],
  [
    'required beside and among the properties, each name once',
    { properties: { a: { required: true }, b: {}, required: ['b'] }, required: ['a', 'c'] },
    { properties: { a: {}, b: {} }, required: ['a', 'c', 'b'] },
    ['/properties/required', '/properties/a/required'],
  ],
  [
    'an empty list beside the properties',
    { properties: { a: {} }, required: [] },
    { properties: { a: {} }, required: [] },
    [],
  ],
  ['one required name', { required: 'a' }, { required: ['a'] }, ['/required']],
  [
    'values on a branch for null',
    {
      anyOf: [
        { type: 'string', enum: LETTERS },
        { type: 'null', enum: LETTERS },
      ],
    },
    { anyOf: [{ type: 'string', enum: LETTERS }, { type: 'null' }] },
    ['/anyOf/1/enum'],
  ],
  ['values of another type', { type: 'integer', enum: LETTERS }, { enum: LETTERS }, ['/enum']],
  [
    'a value of another type',
    { type: 'string', enum: ['A', null] },
    { type: 'string', enum: ['A'] },
    ['/enum'],
  ],
  [
    'null where it is allowed',
    { type: 'string', nullable: true, enum: ['A', null] },
    { type: 'string', nullable: true, enum: ['A', null] },
    [],
  ],
  ['a constant of another type', { type: 'string', const: 1 }, { const: 1 }, ['/const']],
  ['no values', { enum: [] }, {}, ['/enum']],
  ['types of other languages', { type: 'String' }, { type: 'string' }, ['/type']],
  ['a list of types', { type: ['str', 'None'] }, { type: ['string', 'null'] }, ['/type']],
  ['an unknown type', { type: ['string', 'odd'] }, {}, ['/type']],
  [
    'a type as a schema',
    { properties: { a: 'string', b: 7 } },
    { properties: { a: { type: 'string' }, b: {} } },
    ['/properties/a', '/properties/b'],
  ],
  [
    'numbers as text',
    { minLength: '3', maximum: 'x' },
    { minLength: 3 },
    ['/minLength', '/maximum'],
  ],
  [
    'bounds of draft-04',
    { minimum: 3, exclusiveMinimum: true, exclusiveMaximum: false },
    { exclusiveMinimum: 3 },
    ['/exclusiveMinimum', '/exclusiveMaximum'],
  ],
  [
    'a tuple of draft-07',
    { items: [{ type: 'string' }], additionalItems: false },
    { prefixItems: [{ type: 'string' }], items: false },
    [],
  ],
  ['a pattern of another language', { pattern: '(?i)a' }, {}, ['/pattern']],
  [
    'a reference by its name only',
    { items: { $ref: 'A' }, $defs: { A: { type: 'str' } } },
    { items: { $ref: '#/$defs/A' }, $defs: { A: { type: 'string' } } },
    ['/$defs/A/type', '/items/$ref'],
  ],
  ['a reference to nothing', { items: { $ref: '#/$defs/A' } }, { items: {} }, ['/items/$ref']],
  [
    'a reference to what is no schema',
    { items: { $ref: '#/properties' }, properties: { type: { type: 'string' } } },
    { items: {}, properties: { type: { type: 'string' } } },
    ['/items/$ref'],
  ],
  [
    'a definition at a place of its own',
    { items: { $ref: '#/components/A' }, components: { A: { type: 'str' } } },
    { items: { $ref: '#/components/A' }, components: { A: { type: 'string' } } },
    ['/components/A/type'],
  ],
  [
    'data that looks like a schema',
    { default: { type: 'str' }, x: { type: 'str' } },
    { default: { type: 'str' }, x: { type: 'str' } },
    [],
  ],
])('%s', ([, original, schema, places]) => {
  const made = correctSchema(original)
  expect(made.schema).toEqual(schema)
  expect(made.corrections.map(({ path }) => path)).toEqual(places)
})

test('a schema that nests too deeply accepts anything below', () => {
  let schema: JsonObject = { type: 'odd' }
  for (let depth = 0; depth < 40; depth += 1) schema = { items: schema }
  const { corrections } = correctSchema(schema)
  expect(corrections).toMatchObject([{ message: expect.stringContaining('deeper than 32 levels') }])
})

test('a schema that contains itself accepts anything below the maximum depth', () => {
  const schema: Record<string, unknown> = { $ref: '#' }
  schema['items'] = schema
  const { corrections } = correctSchema(schema as JsonObject)
  expect(corrections).toMatchObject([{ message: expect.stringContaining('deeper than 32 levels') }])
})

test('a corrected schema needs no correction', () => {
  const name = fc.constantFrom(
    'type',
    'enum',
    'required',
    'properties',
    'items',
    'anyOf',
    '$ref',
    'a',
  )
  fc.assert(
    fc.property(fc.dictionary(name, fc.jsonValue()), (original) => {
      const { schema } = correctSchema(original)
      expect(correctSchema(schema)).toEqual({ schema, corrections: [] })
    }),
  )
})
