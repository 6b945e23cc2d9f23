import { createSuccessResult, type JsonSchema } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { fitArguments, prepareCall } from './prepare-call.ts'

const readCall = { id: 'call-1', name: 'read', arguments: { path: 'a.txt' } }

test.for<[string, JsonSchema, object]>([
  ['fit at first sight', { type: 'object' }, { ok: true, warnings: [] }],
  [
    'fit as the thorough check sees',
    { properties: { path: { pattern: '^a' } } },
    { ok: true, warnings: [] },
  ],
  [
    'do not fit',
    { properties: { path: { type: 'integer' } } },
    {
      ok: false,
      problems: [
        {
          path: '/path',
          message: 'expected integer, got string "a.txt"',
          expected: 'integer',
          got: 'string "a.txt"',
          code: 'type',
        },
      ],
    },
  ],
  [
    'cannot be checked',
    { $ref: 'https://example.com/schema.json' },
    {
      ok: true,
      warnings: [
        {
          path: '/arguments/$ref',
          message:
            'The arguments were not checked: the schema refers to "https://example.com/schema.json"; only "#" and "#/..." in the same schema are followed',
          code: 'arguments-unchecked',
        },
      ],
    },
  ],
  [
    'have an invalid schema, which is read as it is meant',
    { type: 'Object', properties: { path: { type: 'str' }, required: ['path'] } },
    { ok: true, warnings: [] },
  ],
])('arguments that %s', async ([, inputSchema, prepared]) => {
  const tool = { name: 'read', inputSchema, execute: async () => createSuccessResult([]) }
  expect(await prepareCall(readCall, { tool })).toMatchObject(prepared)
})

const fit = (schema: JsonSchema, value: unknown): unknown =>
  fitArguments({ value }, { properties: { value: schema } })['value']

test.for<[JsonSchema, unknown, unknown]>([
  [{ type: 'integer' }, '3', 3],
  [{ type: 'integer' }, '3.5', '3.5'],
  [{ type: 'integer' }, '9007199254740993', '9007199254740993'],
  [{ type: 'number' }, '3', 3],
  [{ type: 'number' }, '3.5', 3.5],
  [{ type: 'boolean' }, 'true', true],
  [{ type: 'boolean' }, 'yes', 'yes'],
  [{ type: 'null' }, 'null', null],
  [{ type: 'array' }, '["a"]', ['a']],
  [{ type: 'object' }, '{"a":1}', { a: 1 }],
  [{ type: 'object' }, '["a"]', '["a"]'],
  [{ type: 'object' }, '3', '3'],
  [{ type: 'number' }, 'true', 'true'],
  [{ type: 'number' }, '{', '{'],
  [{ type: 'undefined' }, '{', '{'],
  [{ type: ['integer', 'null'] }, 'null', null],
  [{ type: 'string' }, '3', '3'],
  [{ type: ['string', 'integer'] }, '3', '3'],
  [{}, '3', '3'],
  [{ type: 'array', items: { type: 'integer' } }, ['1', 2], [1, 2]],
  [{ type: 'array', items: { type: 'integer' } }, '["1"]', [1]],
  [
    { type: 'object', properties: { a: { type: 'boolean' } } },
    { a: 'false', b: '1' },
    { a: false, b: '1' },
  ],
])('schema %j reads %j as %j', ([schema, value, expected]) => {
  expect(fit(schema, value)).toEqual(expected)
})

test('a key named __proto__ stays a key', () => {
  const value = JSON.parse('{"__proto__": "1"}') as Record<string, unknown>
  const fitted = fitArguments(value, { properties: {} })
  expect(Object.keys(fitted)).toEqual(['__proto__'])
  expect(Object.getPrototypeOf(fitted)).toBe(Object.prototype)
})

test('a missing parameter gets its default, a present one keeps its value', () => {
  const schema = { properties: { a: { default: 1 }, b: { default: 2 }, c: {} } }
  expect(fitArguments({ b: null }, schema)).toStrictEqual({ a: 1, b: null })
})

test('defaults are filled in inside existing objects and list items, and create none', () => {
  const inner = { type: 'object', properties: { deep: { default: true } } }
  const schema = { properties: { one: inner, many: { items: inner }, absent: inner } }
  expect(fitArguments({ one: {}, many: [{}, { deep: false }] }, schema)).toEqual({
    one: { deep: true },
    many: [{ deep: true }, { deep: false }],
  })
})

const $defs = {
  count: { type: 'integer', default: 5 },
  point: { type: 'object', properties: { x: { $ref: '#/$defs/count' } } },
  tree: { type: 'object', properties: { next: { $ref: '#/$defs/tree' }, n: { type: 'integer' } } },
}

test.for<[JsonSchema, unknown, unknown]>([
  [{ $ref: '#/$defs/count' }, '3', 3],
  [{ allOf: [{ type: ['integer', 'string'] }, { type: 'integer' }] }, '3', 3],
  [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, '3', 3],
  [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, 'null', null],
  [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, '3', '3'],
  [{ oneOf: [{ type: 'integer' }, {}] }, '3', '3'],
  [{ oneOf: [{ $ref: '#/$defs/point' }, { type: 'null' }] }, { x: '1' }, { x: 1 }],
  [{ oneOf: [{ $ref: '#/$defs/point' }, { type: 'object' }] }, { x: '1' }, { x: '1' }],
  [{ $ref: '#/$defs/tree' }, { next: { next: { n: '1' } } }, { next: { next: { n: 1 } } }],
  [{ $ref: '#/$defs/missing' }, '3', '3'],
])('schema %j, with definitions, reads %j as %j', ([schema, value, expected]) => {
  const whole = { properties: { value: schema }, $defs }
  expect(fitArguments({ value }, whole)['value']).toEqual(expected)
})

test('defaults are found behind references, in all branches of allOf, and in the only matching alternative', () => {
  const schema = {
    $defs,
    allOf: [
      { properties: { a: { $ref: '#/$defs/count' }, b: { $ref: '#/$defs/count', default: 1 } } },
    ],
    properties: {
      c: { anyOf: [{ $ref: '#/$defs/point' }, { type: 'null' }] },
      d: { anyOf: [{ $ref: '#/$defs/point' }, { type: 'object' }] },
    },
  }
  expect(fitArguments({ c: {}, d: {} }, schema)).toEqual({ a: 5, b: 1, c: { x: 5 }, d: {} })
})

test('a schema of many mutually recursive parts costs no more than its parts', () => {
  const names = Array.from({ length: 200 }, (_, index) => `d${index}`)
  const all = names.map((name) => ({ $ref: `#/$defs/${name}` }))
  const schema = {
    $defs: Object.fromEntries(names.map((name) => [name, { allOf: all }])),
    allOf: all,
  }
  expect(fitArguments({ a: '1' }, schema)).toEqual({ a: '1' })
})

test('defaults are filled in inside objects that came as strings', () => {
  const inner = { type: 'object', properties: { deep: { default: true } } }
  expect(fitArguments({ one: '{}' }, { properties: { one: inner } })).toEqual({
    one: { deep: true },
  })
})

test.for<['completed' | 'as-given', object]>([
  ['completed', { path: 'a.txt', limit: 3 }],
  ['as-given', { path: 'a.txt' }],
])(
  'null for an argument with a default means absent, if arguments are %s',
  async ([how, values]) => {
    const inputSchema = {
      properties: { path: { type: 'string' }, limit: { type: 'integer', default: 3 } },
      required: ['path', 'limit'],
    }
    const call = { ...readCall, arguments: { path: 'a.txt', limit: null } }
    const tool = { name: 'read', inputSchema, execute: async () => createSuccessResult([]) }
    expect(await prepareCall(call, { tool, arguments: how })).toEqual({
      ok: true,
      call: { ...readCall, arguments: values },
      warnings: [],
    })
  },
)
