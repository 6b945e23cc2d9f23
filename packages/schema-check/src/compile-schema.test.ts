import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonSchema } from '@toolblocks/protocol'
import { type CheckedValue, compileSchema } from './compile-schema.ts'
import { agreesWithAjv, schemasAndValues } from './schema-law.support.ts'

function check(schema: JsonSchema, value: unknown): CheckedValue {
  const compiled = compileSchema(schema)
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems))
  return compiled.check(value)
}

const DRAFT_07 = 'http://json-schema.org/draft-07/schema#'

const verdict = (schema: JsonSchema, value: unknown): string => check(schema, value).verdict

test('a matching value is valid, without problems', () => {
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

test('an invalid schema is reported, with the place', () => {
  const compiled = compileSchema({ properties: { a: { type: 'strng' } } })
  expect(compiled).toMatchObject({ ok: false, problems: [{ path: '/properties/a/type' }] })
  const list: unknown = []
  expect(compileSchema(list as JsonSchema)).toMatchObject({
    ok: false,
    problems: [{ code: 'not-a-schema', got: 'array' }],
  })
})

test('2020-12 is the dialect without $schema', () => {
  expect(verdict({ prefixItems: [{ type: 'string' }] }, [1])).toBe('invalid')
})

test('draft-07 is the dialect if $schema says so', () => {
  const $schema = 'http://json-schema.org/draft-07/schema#'
  expect(verdict({ $schema, items: [{ type: 'string' }] }, [1])).toBe('invalid')
  expect(verdict({ $schema, dependencies: { a: ['b'] } }, { a: 1 })).toBe('invalid')
})

test('2020-12 is the dialect if $schema says so', () => {
  const $schema = 'https://json-schema.org/draft/2020-12/schema'
  expect(verdict({ $schema, prefixItems: [{ type: 'string' }] }, [1])).toBe('invalid')
})

test.for([
  'http://json-schema.org/draft-07/schema#',
  'https://json-schema.org/draft-07/schema',
  'https://json-schema.org/draft/2020-12/schema',
  'http://json-schema.org/draft/2020-12/schema#',
])('a dialect is recognized in every spelling: %s', ($schema) => {
  expect(verdict({ $schema, type: 'string' }, 1)).toBe('invalid')
  expect(compileSchema({ $schema, type: 'strng' })).toMatchObject({ ok: false })
})

test('another dialect gives unchecked, with the reason', () => {
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

test('two schemas with the same $id do not affect each other', () => {
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

test.for([
  ['^\\S+$', '\u00a0'],
  ['^.$', '\r'],
  ['^\\w+$', 'é'],
])('the pattern %s does not match %j', ([pattern, text]) => {
  expect(verdict({ pattern }, text)).toBe('invalid')
})

test('patterns match as in ECMAScript', () => {
  expect(verdict({ pattern: '^[\\u4e00-\\u9fa5]+$' }, '世界')).toBe('valid')
  expect(verdict({ pattern: '^\\d{4}-\\d{2}$' }, '2026-11')).toBe('valid')
  expect(verdict({ pattern: '^(?<name>\\w+)\\/$' }, 'abc/')).toBe('valid')
})

test('the same schema is compiled once, as the same object or as the same text', () => {
  const schema = { type: 'string' }
  expect(compileSchema(schema)).toBe(compileSchema(schema))
  expect(compileSchema({ type: 'string', minLength: 4 })).toBe(
    compileSchema({ type: 'string', minLength: 4 }),
  )
})

test('of the schemas cached by their text, those unused for longest are removed', () => {
  const kept = compileSchema({ title: 'kept' })
  const forgotten = compileSchema({ title: 'forgotten' })
  for (let index = 0; index < 256; index++) {
    compileSchema({ title: `another ${index}` })
    compileSchema({ title: 'kept' })
  }
  expect(compileSchema({ title: 'kept' })).toBe(kept)
  expect(compileSchema({ title: 'forgotten' })).not.toBe(forgotten)
})

const node = (reference: string): JsonSchema => ({
  properties: { value: { type: 'integer' }, next: { $ref: reference } },
  required: ['value'],
})

test.for<[string, JsonSchema]>([
  ['to the document', node('#')],
  ['to a definition', { $ref: '#/$defs/node', $defs: { node: node('#/$defs/node') } }],
  ['to a property', { properties: { next: node('#/properties/next') } }],
  ['whatever the document calls itself', { $id: 'https://example.com/node', ...Object(node('#')) }],
  [
    'of a document named like the dialect',
    { $id: 'https://json-schema.org/draft/2020-12/schema', ...Object(node('#')) },
  ],
  ['of a document with an odd name', { $id: 'a b%', ...Object(node('#')) }],
  ['of a document whose name is empty', { $id: '', ...Object(node('#')) }],
  ['of a document whose name is no address', { $id: '//[', ...Object(node('#')) }],
])('a recursive reference is followed as deep as the value: %s', ([, schema]) => {
  const chain = (last: unknown): unknown =>
    Array.from({ length: 40 }).reduce<unknown>((next) => ({ value: 1, next }), last)
  expect(verdict(schema, chain({ value: 1 }))).toBe('valid')
  expect(check(schema, chain({ value: 'x' })).problems.at(-1)?.path).toMatch(/next\/value$/)
})

test('unused anchors, and references in unused definitions, have no effect', () => {
  const schema = { $anchor: 'here', $defs: { unused: { $ref: '#/nowhere', $anchor: 'there' } } }
  expect(verdict({ ...schema, type: 'string' }, 'x')).toBe('valid')
  expect(verdict({ ...schema, type: 'string' }, 1)).toBe('invalid')
})

test('a document of 4,096 subschemas and of 256 KiB is accepted', () => {
  const properties = Object.fromEntries(
    Array.from({ length: 4095 }, (_, index) => [`p${index}`, { type: 'string' }]),
  )
  const schema = { properties, description: 'x'.repeat(150 * 1024) }
  expect(verdict(schema, { p4094: 'x' })).toBe('valid')
  expect(verdict(schema, { p4094: 1 })).toBe('invalid')
})

test('a reference to a value that is not a schema makes the document invalid', () => {
  expect(compileSchema({ $ref: '#/x/y', x: { y: { type: 'strng' } } })).toMatchObject({
    ok: false,
    problems: [{ path: '/x/y/type' }],
  })
})

test('a reference to a schema in an unknown place is followed', () => {
  expect(verdict({ $ref: '#/x/y', x: { y: { type: 'string' } } }, 1)).toBe('invalid')
})

test.for(['(?i)a', '[[:alpha:]]', '\\Aa', '\\Qa', '[\\w-.]', '('])(
  'the pattern %s is invalid in ECMAScript, so the schema is invalid',
  (pattern) => {
    expect(compileSchema({ properties: { a: { pattern } } })).toMatchObject({
      ok: false,
      problems: [{ path: '/properties/a/pattern', code: 'invalid-pattern' }],
    })
    expect(compileSchema({ patternProperties: { [pattern]: true } })).toMatchObject({ ok: false })
  },
)

test.for<[string, JsonSchema]>([
  ['an item', { contains: { type: 'string' } }],
  ['an item of a tuple', { prefixItems: [{ type: 'string' }], contains: { type: 'string' } }],
  ['an item in draft-07', { $schema: DRAFT_07, items: [true], contains: { type: 'string' } }],
  ['two items', { contains: { type: 'string' }, minContains: 2 }],
])('an empty array does not contain %s, whatever was checked before', ([, schema]) => {
  const { $schema, ...items } = Object(schema)
  const list = { ...($schema && { $schema }), items }
  const full = ['a', 'b']
  expect(verdict(schema, [])).toBe('invalid')
  expect(verdict(list, [full, full])).toBe('valid')
  expect(verdict(list, [full, []])).toBe('invalid')
  expect(verdict(list, [...Array.from({ length: 50_000 }, () => full), []])).toBe('invalid')
})

test('an empty array is valid if no contained item is required', () => {
  expect(verdict({ contains: { type: 'string' }, minContains: 0 }, [])).toBe('valid')
})

test.for([
  ['oneOf', { oneOf: [true, { maxProperties: 0, patternProperties: { '.': true } }] }],
  ['anyOf', { anyOf: [true, { type: 'string', patternProperties: { '.': true } }] }],
])('a branch of %s that failed evaluates no property', ([, branches]) => {
  const schema = { ...Object(branches), unevaluatedProperties: false }
  expect(verdict(schema, { b: 1 })).toBe('invalid')
  expect(verdict({ not: schema }, { b: 1 })).toBe('valid')
  expect(verdict({ items: schema }, [{}, { b: 1 }])).toBe('invalid')
})

test('every problem is reported beside unevaluated properties', () => {
  const properties = { a: { type: 'string' }, b: { type: 'string' } }
  const compiled = compileSchema({ properties, unevaluatedProperties: false })
  const { problems } = compiled.ok ? compiled.check({ a: 1, b: 2, c: 3 }) : notASchema
  expect(problems.map(({ path }) => path)).toEqual(['/a', '/b', '/c'])
})

test('verdicts are those of plain Ajv, for small and large values', () => {
  const seen = new Set<string>()
  fc.assert(
    fc.property(schemasAndValues, (sample) => {
      for (const each of agreesWithAjv(sample)) seen.add(each)
    }),
    { numRuns: 150 },
  )
  expect([...seen]).toEqual(expect.arrayContaining(['valid', 'invalid']))
})

test('a problem is reported exactly if a value is not valid', () => {
  fc.assert(
    fc.property(schemasAndValues, ([schema, values]) => {
      const compiled = compileSchema(schema)
      for (const value of compiled.ok ? values : []) {
        const checked = compiled.ok ? compiled.check(value) : notASchema
        expect(checked.problems.length === 0).toBe(checked.verdict === 'valid')
      }
    }),
    { numRuns: 50 },
  )
})

const notASchema: CheckedValue = { verdict: 'unchecked', problems: [] }

const keywords = [
  '$ref',
  '$id',
  '$schema',
  '$anchor',
  '$defs',
  'type',
  'enum',
  'const',
  'required',
  'pattern',
  'properties',
  'patternProperties',
  'items',
  'prefixItems',
  'anyOf',
  'not',
  'if',
  'format',
  'uniqueItems',
  'maxLength',
  'multipleOf',
  'dependencies',
  'contains',
  'unevaluatedItems',
]
const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>(1n, Number.NaN, undefined, Symbol('odd'), () => 1, new Date(0), -0),
  fc.constantFrom<unknown>([{ a: 1 }, { toString: 1 }], { constructor: 1 }, { $ref: '#' }, [
    '(',
    '#/',
  ]),
)
const oddSchema = fc.letrec<{ schema: unknown }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    odd,
    fc.dictionary(
      fc.constantFrom(...keywords),
      fc.oneof(odd, tie('schema'), fc.array(tie('schema'))),
      {
        maxKeys: 4,
      },
    ),
  ),
})).schema

test('no schema and no value makes it throw', () => {
  fc.assert(
    fc.property(oddSchema, fc.oneof(odd, oddSchema), (schema, value) => {
      const compiled = compileSchema(schema as JsonSchema)
      if (compiled.ok) compiled.check(value)
    }),
    { numRuns: 1000 },
  )
})

test.for<[string, unknown]>([
  ['draft-07 values with names of every object', withEnum([{ a: 1 }, { toString: 1 }])],
  ['2020-12 values with names of every object', { enum: [{ constructor: 1 }, { toString: 1 }] }],
  [
    'a getter that throws',
    {
      get type() {
        throw new Error('no')
      },
    },
  ],
  ['a number JSON does not have', { const: 1n }],
])('%s do not make it throw', ([, schema]) => {
  expect(() => {
    const compiled = compileSchema(schema as JsonSchema)
    if (compiled.ok) compiled.check({ toString: 1 })
  }).not.toThrow()
})

function withEnum(values: readonly unknown[]): JsonSchema {
  return { $schema: DRAFT_07, enum: values }
}

test.for(['constructor', 'toString', '__proto__', 'valueOf', 'hasOwnProperty'])(
  'a member called %s is compared like any other',
  (name) => {
    const withMember = (value: unknown): unknown =>
      JSON.parse(`{${JSON.stringify(name)}:${JSON.stringify(value)}}`)
    expect(verdict({ uniqueItems: true }, [withMember(1), withMember(2), {}])).toBe('valid')
    expect(verdict({ uniqueItems: true }, [withMember(1), withMember(2), withMember(1)])).toBe(
      'invalid',
    )
    for (const schema of [
      { enum: [withMember(1), 'x'] },
      withEnum([withMember(1)]),
      { const: withMember(1) },
    ]) {
      expect(verdict(schema, withMember(1))).toBe('valid')
      expect(verdict(schema, withMember(2))).toBe('invalid')
      expect(verdict(schema, {})).toBe('invalid')
    }
    expect(verdict({ uniqueItems: true, items: { type: 'string' } }, [name, name])).toBe('invalid')
  },
)
