import fc from 'fast-check'
import { type JsonSchema } from '@toolblocks/protocol'
import { MAX_SCHEMA_DEPTH } from '@toolblocks/protocol/internal'
import { expect, test } from 'vitest'
import { compileSchema } from './compile-schema.ts'
import { isDefinitelySchema, isDefinitelyValid } from './quick-check.ts'

const type = fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'array', 'object')

/** What may stand where a keyword wants something else, once in a while. */
const odd = fc.constantFrom<unknown>('strng', -1, 0.5, null, [], ['a', 'a'], {}, true, '#/$defs/b')

const name = fc.constantFrom('a', 'b', 'c')

const scalar = fc.oneof(
  fc.constantFrom<unknown>('', 'x', '😀', null, true, false),
  fc.integer({ min: -2, max: 3 }),
  fc.constantFrom(0.5, -0),
)

const { anyValue } = fc.letrec<{ anyValue: unknown }>((tie) => ({
  anyValue: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.array(tie('anyValue'), { maxLength: 3 }),
    fc.dictionary(name, tie('anyValue'), { maxKeys: 3 }),
  ),
}))

const anyKeyword = fc.constantFrom(
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

const { anySchema } = fc.letrec<{ anySchema: JsonSchema }>((tie) => ({
  anySchema: fc.oneof(
    { maxDepth: 3 },
    fc.boolean(),
    fc.record(
      {
        type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
        const: anyValue,
        enum: fc.array(anyValue, { minLength: 1, maxLength: 3 }),
        required: fc.uniqueArray(name),
        properties: fc.dictionary(name, tie('anySchema')),
        additionalProperties: tie('anySchema'),
        patternProperties: fc.dictionary(fc.constantFrom('^a', 'b$'), tie('anySchema'), {
          maxKeys: 1,
        }),
        items: tie('anySchema'),
        prefixItems: fc.array(tie('anySchema'), { minLength: 1, maxLength: 2 }),
        anyOf: fc.array(tie('anySchema'), { minLength: 1, maxLength: 2 }),
        allOf: fc.array(tie('anySchema'), { minLength: 1, maxLength: 2 }),
        oneOf: fc.array(tie('anySchema'), { minLength: 1, maxLength: 2 }),
        not: tie('anySchema'),
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
const oddSchema = fc
  .tuple(anySchema, fc.option(fc.tuple(anyKeyword, odd)))
  .map(([schema, change]) => {
    if (!change || typeof schema !== 'object') return schema
    const [key, value] = change
    return { ...schema, $defs: { b: { $ref: '#/$defs/b' } }, [key]: value }
  })

test('a definite schema is one that can be used, and a definitely valid value is valid for the thorough check', () => {
  const sure = { total: 0, schemas: 0, values: 0 }
  fc.assert(
    fc.property(oddSchema, anyValue, (schema, probe) => {
      sure.total += 1
      const isSure = isDefinitelyValid(probe, schema)
      if (!isDefinitelySchema(schema)) return !isSure
      sure.schemas += 1
      const compiled = compileSchema(schema)
      expect(compiled).toMatchObject({ ok: true })
      expect(compiled).not.toHaveProperty('unusable')
      if (!compiled.ok || !isSure) return true
      sure.values += 1
      return compiled.check(probe).verdict === 'valid'
    }),
    { numRuns: 3000 },
  )
  expect(sure.schemas).toBeGreaterThan(sure.total / 15)
  expect(sure.values).toBeGreaterThan(sure.total / 30)
})

test.for<[unknown, JsonSchema]>([
  [{ path: 'a' }, { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }],
  [{ mode: 'b' }, { properties: { mode: { enum: ['a', 'b'] } }, additionalProperties: false }],
  [[1, 2], { type: 'array', items: { type: 'integer' }, minItems: 1 }],
  [{ n: null }, { properties: { n: { anyOf: [{ type: 'number' }, { type: 'null' }] } } }],
  [{ p: { p: {} } }, { type: 'object', properties: { p: { $ref: '#' } } }],
])('most arguments need no thorough check: %j', ([value, by]) => {
  expect(isDefinitelyValid(value, by)).toBe(true)
})

test('a schema that never ends is left to the thorough check', () => {
  expect(isDefinitelyValid({}, { $ref: '#' })).toBe(false)
  const branches = { anyOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/a' }] }
  const deep = { $defs: { a: { properties: { p: branches }, not: {} } }, ...branches }
  let value = {}
  for (let depth = 0; depth < 60; depth++) value = { p: value }
  expect(isDefinitelyValid(value, deep)).toBe(false)
})

type Row = readonly [schema: JsonSchema, fits: readonly unknown[], others: readonly unknown[]]

const object = { a: 1, b: 2 }

test.for<Row>([
  [true, [null, object], []],
  [{}, [null, object], []],
  [{ type: 'string' }, ['', 'a'], [1, null, [], {}]],
  [{ type: 'boolean' }, [true, false], [0, 'true']],
  [{ type: 'null' }, [null], [0, '', {}]],
  [{ type: 'array' }, [[]], [{}, 'a']],
  [{ type: 'object' }, [{}], [[], null]],
  [{ type: 'integer' }, [1, -0, 1e300], [0.5, '1']],
  [{ type: 'number' }, [1, 0.5], ['1', null]],
  [{ type: ['string', 'null'] }, ['a', null], [1]],
  [{ const: 'a' }, ['a'], ['b', null]],
  [{ const: null }, [null], [undefined, 0]],
  [{ enum: ['a', 1, null] }, ['a', 1, null], ['b', 2, '1']],
  [{ required: ['a'] }, [{ a: 1 }, 'text', [1]], [{}, { b: 1 }, Object.create({ a: 1 })]],
  [{ required: ['a', 'b'] }, [object], [{ a: 1 }]],
  [{ properties: { a: { type: 'string' } } }, [{ a: 'a' }, { b: 1 }, 7], [{ a: 1 }]],
  [
    { properties: { a: {} }, additionalProperties: false },
    [{ a: 1 }, {}, [1]],
    [object, { toString: 1 }],
  ],
  [{ properties: {}, additionalProperties: { type: 'number' } }, [object, 'a'], [{ a: 'a' }]],
  [{ additionalProperties: true }, [object], []],
  [{ additionalProperties: false }, [[1], 'a'], [object]],
  [{ items: { type: 'string' } }, [['a'], [], 'a'], [['a', 1]]],
  [{ anyOf: [{ type: 'string' }, { minimum: 3 }] }, ['a', 3], [2]],
  [{ allOf: [{ minimum: 1 }, { maximum: 2 }] }, [1, 2], [0, 3]],
  [{ $ref: '#/$defs/a', $defs: { a: { type: 'string' } } }, ['a'], [1]],
  [{ $ref: '#/definitions/a', definitions: { a: { type: 'string' } } }, ['a'], [1]],
  [{ $ref: '#/$defs/a', $defs: { a: true } }, [1], []],
  [{ $ref: '#/$defs/a', $defs: { a: false } }, [], [1]],
  [{ minimum: 1 }, [1, 2, '0'], [0]],
  [{ maximum: 1 }, [1, 0, '2'], [2]],
  [{ exclusiveMinimum: 1 }, [2, '0'], [1]],
  [{ exclusiveMaximum: 1 }, [0, '2'], [1]],
  [{ minLength: 2 }, ['ab', '😀😀', 1, []], ['a', '😀']],
  [{ maxLength: 1 }, ['a', '😀', 12, ['a', 'b']], ['ab']],
  [{ minItems: 1 }, [[1], '', {}], [[]]],
  [{ maxItems: 1 }, [[1], 'ab', object], [[1, 2]]],
])('%j: exactly the matching values are definitely valid', ([schema, fits, others]) => {
  for (const value of fits) expect([value, isDefinitelyValid(value, schema)]).toEqual([value, true])
  for (const value of others)
    expect([value, isDefinitelyValid(value, schema)]).toEqual([value, false])
})

test.for(['$comment', 'description', 'summary', 'title'])(
  '%s is text, which accepts every value',
  (keyword) => {
    expect(isDefinitelyValid(1, { [keyword]: 'a' })).toBe(true)
    expect(isDefinitelySchema({ [keyword]: 1 })).toBe(false)
  },
)

test.for(['deprecated', 'readOnly', 'writeOnly'])('%s accepts every value', (keyword) => {
  for (const value of [true, false]) expect(isDefinitelyValid(1, { [keyword]: value })).toBe(true)
  expect(isDefinitelySchema({ [keyword]: 'yes' })).toBe(false)
})

test.for(['examples', 'enumNames'])('%s is a list, which accepts every value', (keyword) => {
  expect(isDefinitelyValid(1, { [keyword]: [{ a: [null, true, 'a', 1] }] })).toBe(true)
  for (const value of ['a', [undefined], [Infinity], [1n]])
    expect(isDefinitelySchema({ [keyword]: value })).toBe(false)
})

test('a default is JSON, which accepts every value', () => {
  expect(isDefinitelyValid(1, { default: { a: [null] } })).toBe(true)
  expect(isDefinitelySchema({ default: [Number.NaN] })).toBe(false)
})

test.for([
  'https://json-schema.org/draft/2020-12/schema',
  'https://json-schema.org/draft/2020-12/schema#',
])('the dialect may be named at the root: %s', ($schema) => {
  expect(isDefinitelyValid(1, { $schema })).toBe(true)
  expect(isDefinitelySchema({ items: { $schema } })).toBe(false)
})

test.for<[string, unknown]>([
  ['another dialect', { $schema: 'http://json-schema.org/draft-07/schema#' }],
  ['an address with more before it', { $schema: ' https://json-schema.org/draft/2020-12/schema' }],
  ['an address with more after it', { $schema: 'https://json-schema.org/draft/2020-12/schema/a' }],
  ['a dialect in a list', { $schema: ['https://json-schema.org/draft/2020-12/schema'] }],
  ['a dialect that is no text', { $schema: 1 }],
  ['an unknown type', { type: 'strng' }],
  ['no type', { type: [] }],
  ['a type that is said twice', { type: ['null', 'null'] }],
  ['a type that is no text', { type: [1] }],
  ['an empty list of values', { enum: [] }],
  ['values that are no list', { enum: 'a' }],
  ['names that are no list', { required: 'a' }],
  ['names that are no text', { required: [1] }],
  ['a name that is said twice', { required: ['a', 'a'] }],
  ['properties that are no object', { properties: [] }],
  ['a property that is no schema', { properties: { a: 1 } }],
  ['a property named __proto__', { properties: JSON.parse('{"__proto__":true}') }],
  ['a definition that is no schema', { $defs: { a: 1 } }],
  ['a definition in the older place that is no schema', { definitions: { a: null } }],
  ['items that are a list', { items: [true] }],
  ['additional properties that are no schema', { additionalProperties: 'no' }],
  ['no alternatives', { anyOf: [] }],
  ['alternatives that are no list', { allOf: {} }],
  ['an alternative that is no schema', { allOf: [true, 1] }],
  ['a reference that leads nowhere', { $ref: '#/$defs/a' }],
  ['a reference that is no text', { $ref: 1 }],
  ['a reference to a place that may hold no schema', { $ref: '#/x', x: {} }],
  ['a reference further into a definition', { $ref: '#/$defs/a/b', $defs: { a: { b: {} } } }],
  ['a reference to another document', { $ref: 'a#/$defs/a', $defs: { a: {} } }],
  ['a reference to a reference', { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' } } }],
  ['a reference to alternatives', { $ref: '#/$defs/a', $defs: { a: { anyOf: [{}] } } }],
  ['a reference to parts', { $ref: '#/$defs/a', $defs: { a: { allOf: [{}] } } }],
  ['a bound that is no number', { minimum: '1' }],
  ['a bound that is not finite', { exclusiveMaximum: Infinity }],
  ['a length that is negative', { minLength: -1 }],
  ['a length that is no integer', { maxItems: 0.5 }],
  ['a length that is no number', { maxLength: '1' }],
  ['items after others', { prefixItems: [true], items: true }],
  ['properties beside patterns', { properties: {}, patternProperties: { a: false } }],
  ['a keyword that is not known', { format: 'date' }],
  ['a list', []],
  ['nothing', null],
])('%s is left to the thorough check', ([, schema]) => {
  expect(isDefinitelySchema(schema)).toBe(false)
})

test('as many levels are read as a schema may have, and no more', () => {
  const nested = (levels: number): unknown => {
    let schema: unknown = {}
    for (let level = 0; level < levels; level += 1) schema = { items: schema }
    return schema
  }
  expect(isDefinitelySchema(nested(MAX_SCHEMA_DEPTH))).toBe(true)
  expect(isDefinitelySchema(nested(MAX_SCHEMA_DEPTH + 1))).toBe(false)
})

test('a thousand parts and 64 Ki characters are read, and no more', () => {
  const ofParts = (count: number): unknown => ({
    anyOf: Array.from({ length: count - 1 }, () => ({ title: '' })),
  })
  expect(isDefinitelySchema(ofParts(1000))).toBe(true)
  expect(isDefinitelySchema(ofParts(1001))).toBe(false)
  expect(isDefinitelySchema({ enum: Array.from({ length: 999 }, () => 1) })).toBe(true)
  expect(isDefinitelySchema({ enum: Array.from({ length: 1000 }, () => 1) })).toBe(false)
  const ofCharacters = (count: number): unknown => ({ title: 'a'.repeat(count), minimum: 1 })
  expect(isDefinitelySchema(ofCharacters(64 * 1024))).toBe(true)
  expect(isDefinitelySchema(ofCharacters(64 * 1024 + 1))).toBe(false)
})
