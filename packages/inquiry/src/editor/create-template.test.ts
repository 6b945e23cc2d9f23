import { parse, type ParseError } from 'jsonc-parser'
import { expect, test } from 'vitest'
import type { JsonSchema } from '@toolblocks/protocol'
import { createTemplate } from './create-template.ts'

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

test('a default fills the template, with what the schema does not name too', () => {
  const schema = { type: 'object', properties: { a: { type: 'integer' } } }
  const template = createTemplate(schema, { a: 1, b: [2] })
  expect(parse(template, [], { allowTrailingComma: true })).toEqual({ a: 1, b: [2] })
})

test('a template of any other schema is one value', () => {
  expect(createTemplate({ type: 'string', enum: ['x'] })).toBe('// one of "x"\n"x"')
  expect(createTemplate(true)).toBe('// anything\nnull')
})

test('no schema makes a template that is endless, or no JSON', () => {
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

test('what an editor would obey, reorder or not show is escaped, and is still the same value', () => {
  const value = { 'a\u202Eb': '\u009B2J\u{E0041}', 'list\u200B': ['\u2066'] }
  const template = createTemplate({ type: 'object' }, value)
  expect(template).not.toMatch(/(?!\n)\p{C}/u)
  expect(parse(template)).toEqual(value)
})
