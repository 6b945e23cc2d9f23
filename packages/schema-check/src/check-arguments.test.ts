import type { JsonObject, JsonSchema } from '@toolblocks/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkArguments, type CheckedArguments } from './check-arguments.ts'
import { compileInputSchema } from './compile-input-schema.ts'

function check(schema: JsonSchema, callArguments: JsonObject): CheckedArguments {
  const compiled = compileInputSchema(schema)
  if (!compiled.ok) throw new Error('the schema is invalid')
  return checkArguments(compiled.check, callArguments)
}

const SEARCH = {
  type: 'object',
  properties: {
    path: { type: 'string' },
    limit: { type: 'integer' },
    kind: { enum: ['file', 'folder'] },
    since: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
    until: { type: ['string', 'null'] },
    depth: { type: 'integer', default: 3 },
    'a/b~c': { const: 1 },
    range: {
      type: 'object',
      properties: { from: { type: 'integer' }, to: { type: 'integer' } },
      required: ['from'],
    },
    list: { type: 'array', items: { properties: { n: { type: 'integer' } } } },
  },
  required: ['path', 'depth'],
  additionalProperties: false,
}

test.for<[string, JsonObject, JsonObject]>([
  ['of a type', { limit: null }, {}],
  ['of listed values', { kind: null }, {}],
  ['of alternatives', { since: null }, {}],
  ['with a name that is escaped in paths', { 'a/b~c': null }, {}],
  ['that is required and has a default', { depth: null }, {}],
  ['in an object', { range: { from: 1, to: null } }, { range: { from: 1 } }],
  ['in an item', { list: [{ n: null }, { n: 2 }] }, { list: [{}, { n: 2 }] }],
  ['beside others', { limit: null, kind: null, depth: 2 }, { depth: 2 }],
])('null means absent for an optional property %s', ([, extra, left]) => {
  expect(check(SEARCH, { path: 'a', ...extra })).toEqual({
    verdict: 'valid',
    problems: [],
    arguments: { path: 'a', ...left },
  })
})

test('null stays where the schema accepts it', () => {
  const callArguments = { path: 'a', until: null }
  expect(check(SEARCH, callArguments)).toMatchObject({ verdict: 'valid', arguments: callArguments })
  expect(check(SEARCH, { ...callArguments, limit: null }).arguments).toEqual(callArguments)
})

test.for<[JsonObject, readonly string[]]>([
  [{ path: null }, ['/path']],
  [{ path: 'a', range: { from: null } }, ['/range/from']],
  [{ path: 'a', list: [null, { n: null }], limit: 'x' }, ['/limit', '/list/1/n']],
  [{ path: 'a', limit: null, depth: 'x' }, ['/limit', '/depth']],
])(
  'arguments that do not fit without the nulls either are refused as they came: %j',
  ([callArguments, places]) => {
    const { verdict, problems, ...rest } = check(SEARCH, callArguments)
    expect(verdict).toBe('invalid')
    expect(problems.map(({ path }) => path)).toEqual(places)
    expect(rest.arguments).toBe(callArguments)
  },
)

test('defaults are filled in again after nulls were omitted', () => {
  const compiled = compileInputSchema(SEARCH)
  if (!compiled.ok) throw new Error('the schema is invalid')
  const callArguments = { path: 'a', depth: null }
  expect(
    checkArguments(compiled.check, callArguments, (values) => ({ depth: 3, ...values })).arguments,
  ).toEqual({ path: 'a', depth: 3 })
})

test('only nulls are ever omitted, and valid arguments stay as they are', () => {
  const value = fc.oneof(fc.constant(null), fc.integer(), fc.string())
  const anyArguments = fc.record(
    {
      path: value,
      limit: value,
      kind: value,
      until: value,
      range: fc.record({ from: value, to: value }),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(anyArguments, (values) => {
      const plain = compileInputSchema(SEARCH)
      if (!plain.ok) throw new Error('the schema is invalid')
      const { verdict, arguments: got } = checkArguments(plain.check, values)
      const isKept = plain.check(values).verdict === 'valid' || verdict === 'invalid'
      expect(got === values).toBe(isKept)
      expect(plain.check(got).verdict).toBe(verdict)
      expect(withoutNulls(got)).toEqual(withoutNulls(values))
    }),
  )
})

function withoutNulls(values: JsonObject): unknown {
  return JSON.parse(JSON.stringify(values), (_key, value: unknown) => value ?? undefined)
}
