import type { JsonSchema } from '@toolblocks/protocol'
import { type ParseError, parse } from 'jsonc-parser'
import { expect, test } from 'vitest'
import { createTemplate, resolveSchema } from './create-template.ts'

test('each field has a comment with its type and description; optional ones without a default are commented out', () => {
  const schema = {
    type: 'object',
    properties: {
      name: { type: 'string', description: 'As on\nthe badge.', minLength: 2 },
      size: { type: 'integer', default: 3 },
      floor: { oneOf: [{ const: 'g', title: 'Ground' }, { const: '1' }] },
      guests: { type: 'array', items: { $ref: '#/$defs/guest' } },
      note: { type: 'string' },
    },
    required: ['name', 'floor', 'guests'],
    $defs: { guest: { type: 'object', properties: { age: { type: 'integer', minimum: 18 } } } },
  }
  expect(createTemplate(schema)).toBe(`// object
{
  // string: As on the badge. · at least 2 characters
  "name": "",
  // integer, optional
  "size": 3,
  // one of "g" (Ground), "1"
  "floor": "g",
  // list
  "guests": [
    // {
    //   // integer, optional: at least 18
    //   // "age": 18,
    // },
  ],
  // string, optional
  // "note": "",
}`)
})

test('a default fills the template, including values that the schema does not name', () => {
  const schema = { type: 'object', properties: { a: { type: 'integer' } } }
  const template = createTemplate(schema, { a: 1, b: [2] })
  expect(parse(template, [], { allowTrailingComma: true })).toEqual({ a: 1, b: [2] })
})

test('of several values the nearest one fills it: the given one, the default, the constant, a choice, a blank', () => {
  const own = { type: 'integer', minimum: 5, enum: [6, 7] }
  expect(createTemplate({ ...own, const: 8, default: 9 }, 10)).toMatch(/\n10$/)
  expect(createTemplate({ ...own, const: 8, default: 9 })).toMatch(/\n9$/)
  expect(createTemplate({ ...own, const: 8 })).toMatch(/\n8$/)
  expect(createTemplate(own)).toMatch(/\n6$/)
  expect(createTemplate({ type: 'integer', minimum: 5 })).toMatch(/\n5$/)
  expect(createTemplate({ oneOf: [{ type: 'boolean' }], anyOf: [{ type: 'array' }] })).toMatch(
    /\nfalse$/,
  )
})

test('a template of any other schema is one value', () => {
  expect(createTemplate({ type: 'string', enum: ['x'] })).toBe('// one of "x"\n"x"')
  expect(createTemplate(true)).toBe('// anything\nnull')
})

test('every schema gives a finite template that is JSON', () => {
  const properties = Object.fromEntries(
    Array.from({ length: 50 }, (_, index) => [`p\n${index} "*/`, { $ref: '#' }]),
  )
  const hostile: readonly JsonSchema[] = [
    { type: 'object', properties },
    { type: 'object', properties, required: Object.keys(properties) },
    { $ref: '#' },
    { type: 'object', properties: { a: { type: 'string', description: '\u2028}\n"' } } },
    { type: 'array', items: { type: 'array', items: { $ref: '#' } } },
    { type: 'object', properties: { ['__proto__']: { type: 'string' } }, required: ['__proto__'] },
  ]
  for (const schema of hostile) {
    const template = createTemplate(schema)
    const errors: ParseError[] = []
    parse(template, errors, { allowTrailingComma: true })
    expect(errors).toEqual([])
    expect(template.length).toBeLessThan(1_000_000)
  }
})

test('characters that an editor would interpret, reorder or hide are escaped, and the value stays the same', () => {
  const value = { 'a\u202Eb': '\u009B2J\u{E0041}', 'list\u200B': ['\u2066'] }
  const template = createTemplate({ type: 'object' }, value)
  expect(template).not.toMatch(/(?!\n)\p{C}/u)
  expect(parse(template)).toEqual(value)
})

test.for<[JsonSchema, string]>([
  [{ type: 'string' }, '// string\n""'],
  [{ type: 'number' }, '// number\n0'],
  [{ type: 'integer', minimum: 2 }, '// integer: at least 2\n2'],
  [{ type: 'number', minimum: '2' }, '// number\n0'],
  [{ type: 'boolean' }, '// boolean\nfalse'],
  [{ type: 'object' }, '// object\n{}'],
  [{ type: 'array' }, '// list\n[\n]'],
  [{ type: 'null' }, '// null\nnull'],
  [{}, '// anything\nnull'],
  [false, '// anything\nnull'],
  [{ type: ['string', 'null'] }, '// string or null\n""'],
  [{ type: ['array', 'null'] }, '// array or null\n[]'],
  [{ type: 'integer', default: 3 }, '// integer\n3'],
  [{ const: 'a' }, '// anything\n"a"'],
  [{ type: 'array', items: { type: 'string' } }, '// list, each string\n[\n  // "",\n]'],
  [{ type: 'array', items: {} }, '// list\n[\n  // null,\n]'],
  [{ type: 'array', default: [1] }, '// list\n[\n  1\n]'],
  [{ type: 'array', default: [] }, '// list\n[\n]'],
  [{ type: 'object', properties: { a: {} }, default: 7 }, '// object\n7'],
  [{ enum: ['b', 1, true, null] }, '// one of "b", 1, true, null\n"b"'],
  [{ enum: ['b', 'c'], enumNames: ['B', ''] }, '// one of "b" (B), "c"\n"b"'],
  [{ anyOf: [{ const: 1, title: 'One' }, { const: 2 }] }, '// one of 1 (One), 2\n1'],
  [{ enum: [[1]] }, '// anything\nnull'],
  [{ enum: [] }, '// anything\nnull'],
  [{ oneOf: [{ const: 1 }, { type: 'string' }] }, '// anything\nnull'],
  [{ oneOf: [{ const: 1 }, true] }, '// anything\nnull'],
  [{ oneOf: [{ const: 1 }, Object.create({ const: 2 })] }, '// anything\nnull'],
  [{ oneOf: [{ type: 'integer' }, { type: 'string' }] }, '// integer\n0'],
])('%j gives a blank of its type, below a line that describes it: %j', ([schema, template]) => {
  expect(createTemplate(schema)).toBe(template)
})

test('six levels are written out, then a blank of the type', () => {
  const nested = (levels: number): JsonSchema =>
    levels === 0
      ? { type: 'object', properties: { last: { type: 'string' } }, required: ['last'] }
      : { type: 'object', properties: { a: nested(levels - 1) }, required: ['a'] }
  expect(parse(createTemplate(nested(5)), [], { allowTrailingComma: true })).toEqual({
    a: { a: { a: { a: { a: { last: '' } } } } },
  })
  expect(parse(createTemplate(nested(6)), [], { allowTrailingComma: true })).toEqual({
    a: { a: { a: { a: { a: { a: {} } } } } },
  })
})

test('of more than five hundred values the optional ones are omitted', () => {
  const properties = Object.fromEntries(
    Array.from({ length: 600 }, (_, index) => [`p${index}`, { type: 'string' }]),
  )
  const written = (schema: JsonSchema): number =>
    createTemplate(schema).match(/"p\d+": ""/g)?.length ?? 0
  expect(written({ type: 'object', properties })).toBe(499)
  expect(written({ type: 'object', properties, required: Object.keys(properties) })).toBe(600)
})

test('a comment is one line of at most three hundred characters', () => {
  const getComment = (description: string): string =>
    createTemplate({ type: 'string', description }).split('\n')[0] ?? ''
  expect(getComment(' a\u2028\t b\0\n')).toBe('// string: a b')
  expect(getComment('x'.repeat(292))).toBe(`// string: ${'x'.repeat(292)}`)
  expect(getComment('x'.repeat(293))).toBe(`// string: ${'x'.repeat(292)}…`)
})

const text = { type: 'string' }

const root = {
  $defs: {
    text,
    either: { oneOf: [{ $ref: '#/$defs/text' }, { type: 'null' }] },
    itself: { $ref: '#/$defs/itself' },
    odd: 7,
  },
}

test.for<[string, unknown, JsonSchema]>([
  ['a schema as it is', text, text],
  ['what a reference leads to', { $ref: '#/$defs/text' }, text],
  ['the first alternative of oneOf', { oneOf: [text, { type: 'null' }] }, text],
  ['the first alternative of anyOf', { anyOf: [text, { type: 'null' }] }, text],
  ['what references and alternatives lead to together', { $ref: '#/$defs/either' }, text],
  ['constants to choose from, which stay', { oneOf: [{ const: 1 }] }, { oneOf: [{ const: 1 }] }],
  ['alternatives beside a type, which stay', { ...text, anyOf: [{}] }, { ...text, anyOf: [{}] }],
  [
    'alternatives beside properties, which stay',
    { properties: {}, oneOf: [text] },
    { properties: {}, oneOf: [text] },
  ],
  ['alternatives that are no schemas, which stay', { oneOf: [true] }, { oneOf: [true] }],
  ['no list of alternatives, which stays', { oneOf: 'x' }, { oneOf: 'x' }],
  ['anything for a reference that leads nowhere', { $ref: '#/$defs/none' }, true],
  ['anything for what is no schema', { $ref: '#/$defs/odd' }, true],
  ['anything for what is none at all', 7, true],
  ['nothing where nothing fits', false, false],
])('a template is created for %s', ([, schema, resolved]) => {
  expect(resolveSchema(schema, root)).toEqual(resolved)
})

test('at most sixteen references are followed, so that a recursive one ends', () => {
  const $defs = Object.fromEntries(
    Array.from({ length: 17 }, (_, index) => [
      `s${index}`,
      index === 16 ? text : { $ref: `#/$defs/s${index + 1}` },
    ]),
  )
  expect(resolveSchema({ $ref: '#/$defs/s1' }, { $defs })).toEqual(text)
  expect(resolveSchema({ $ref: '#/$defs/s0' }, { $defs })).toEqual({ $ref: '#/$defs/s16' })
  expect(resolveSchema({ $ref: '#/$defs/itself' }, root)).toEqual({ $ref: '#/$defs/itself' })
})
