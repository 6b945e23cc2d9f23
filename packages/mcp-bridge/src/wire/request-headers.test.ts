import type { JsonSchema } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { argumentHeaders, findArgumentMismatch, findInvalidHeader } from './request-headers.ts'

const header = (type: unknown, name: unknown = 'X') => ({ type, 'x-mcp-header': name })

test.for<[string, unknown]>([
  ['none', { type: 'object' }],
  ['a text', { properties: { a: header('string') } }],
  [
    'an argument of an argument',
    { properties: { a: { type: 'object', properties: { b: header('boolean') } } } },
  ],
  [
    'the word as a value',
    {
      properties: {
        a: { type: 'object', default: { 'x-mcp-header': 3 }, enum: [{ 'x-mcp-header': 3 }] },
      },
    },
  ],
])('a schema with %s is valid', ([, schema]) =>
  expect(findInvalidHeader(schema as JsonSchema)).toBeUndefined(),
)

test.for<[string, unknown]>([
  ['no name', { properties: { a: header('string', '') } }],
  ['a name with a space', { properties: { a: header('string', 'a b') } }],
  ['a number', { properties: { a: header('number') } }],
  ['an object', { properties: { a: header('object') } }],
  ['the same name twice', { properties: { a: header('string', 'x'), b: header('string', 'X') } }],
  ['one at the root', header('string')],
  ['one in a list', { properties: { a: { items: header('string') } } }],
  ['one below alternatives', { anyOf: [{ properties: { a: header('string') } }] }],
])('a schema with %s is invalid', ([, schema]) =>
  expect(findInvalidHeader(schema as JsonSchema)).toContain('x-mcp-header'),
)

const schema = {
  type: 'object',
  properties: {
    region: { type: 'string', 'x-mcp-header': 'Region' },
    count: { type: 'integer', 'x-mcp-header': 'Count' },
    place: {
      type: 'object',
      properties: { isInside: { type: 'boolean', 'x-mcp-header': 'Is-Inside' } },
    },
    other: { type: 'string' },
  },
} as const

test.for([
  ['the same text', { region: 'eu' }, { 'mcp-param-region': 'eu' }],
  ['a text in base64', { region: 'é' }, { 'mcp-param-region': '=?base64?w6k=?=' }],
  ['what only looks like base64', { region: 'w6k=' }, { 'mcp-param-region': 'w6k=' }],
  ['the same number, however written', { count: 42 }, { 'mcp-param-count': '42.0' }],
  ['an argument of an argument', { place: { isInside: true } }, { 'mcp-param-is-inside': 'true' }],
  ['nothing for an argument that is absent or null', { region: null }, {}],
  ['nothing for an argument without a header', { other: 'x' }, {}],
  ['more than was wanted', {}, { 'mcp-param-region': 'eu' }],
] as const)('a call matches if its headers contain %s', ([, values, headers]) => {
  expect(findArgumentMismatch(schema, values, headers)).toBeUndefined()
})

test.for([
  ['a missing header', { region: 'eu' }, {}, 'Mcp-Param-Region'],
  ['another value', { region: 'eu' }, { 'mcp-param-region': 'us' }, 'Mcp-Param-Region'],
  ['another number', { count: 42 }, { 'mcp-param-count': '43' }, 'Mcp-Param-Count'],
  ['broken base64', { region: 'é' }, { 'mcp-param-region': '=?base64?w6k?=' }, 'Mcp-Param-Region'],
  ['no UTF-8', { region: 'é' }, { 'mcp-param-region': '=?base64?6Q==?=' }, 'Mcp-Param-Region'],
  ['a missing header further in', { place: { isInside: true } }, {}, 'Mcp-Param-Is-Inside'],
] as const)('%s is reported', ([, values, headers, name]) => {
  expect(findArgumentMismatch(schema, values, headers)).toMatchObject({ header: name })
})

test('the headers written for arguments match them, for any values', () => {
  for (const region of ['eu', 'é', ' eu ', '', '=?base64?w6k=?=', 'a\tb', 'a\nb']) {
    const values = { region, count: -3, place: { isInside: false }, other: 'x' }
    const headers = Object.entries(argumentHeaders(schema, values))
    expect(headers).toHaveLength(3)
    const sent = Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]))
    expect(findArgumentMismatch(schema, values, sent)).toBeUndefined()
    expect(new Headers(headers).get('mcp-param-region')).toBe(sent['mcp-param-region'])
  }
})
