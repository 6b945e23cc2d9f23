import { expect, test } from 'vitest'
import { findHeaderMismatch } from './find-header-mismatch.ts'

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
] as const)('a call agrees whose headers say %s', ([, given, headers]) => {
  expect(findHeaderMismatch(schema, given, headers)).toBeUndefined()
})

test.for([
  ['a missing header', { region: 'eu' }, {}, 'Mcp-Param-Region'],
  ['another value', { region: 'eu' }, { 'mcp-param-region': 'us' }, 'Mcp-Param-Region'],
  ['another number', { count: 42 }, { 'mcp-param-count': '43' }, 'Mcp-Param-Count'],
  ['broken base64', { region: 'é' }, { 'mcp-param-region': '=?base64?w6k?=' }, 'Mcp-Param-Region'],
  ['no UTF-8', { region: 'é' }, { 'mcp-param-region': '=?base64?6Q==?=' }, 'Mcp-Param-Region'],
  ['a missing header further in', { place: { isInside: true } }, {}, 'Mcp-Param-Is-Inside'],
] as const)('%s is named', ([, given, headers, header]) => {
  expect(findHeaderMismatch(schema, given, headers)).toMatchObject({ header })
})
