import { isToolDefinition } from '@toolblocks/protocol'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseToolDefinition } from './parse-tool-definition.ts'

const bare = { name: 'read', inputSchema: { type: 'object' } }

test('null in an optional field means absent, without a warning', () => {
  const definition = {
    ...bare,
    title: null,
    annotations: null,
    outputSchema: null,
    icons: null,
    _meta: null,
  }
  expect(parseToolDefinition(definition)).toEqual({ definition: bare, warnings: [] })
})

test('a definition is returned unchanged, with unknown fields', () => {
  const definition = {
    ...bare,
    annotations: { readOnlyHint: true },
    execution: { taskSupport: 'optional' },
  }
  expect(parseToolDefinition(definition).definition).toBe(definition)
})

test('only a field of the wrong type is omitted, with a warning', () => {
  const { definition, warnings } = parseToolDefinition({
    ...bare,
    title: 7,
    icons: {},
    outputSchema: 'x',
  })
  expect(definition).toEqual(bare)
  expect(warnings.map(({ path, code }) => [path, code])).toEqual([
    ['/title', 'dropped-field'],
    ['/icons', 'dropped-field'],
    ['/outputSchema', 'dropped-field'],
  ])
})

test.for([
  [null, 'an object'],
  [{ inputSchema: {} }, 'a "name"'],
  [{ name: '', inputSchema: {} }, 'a "name"'],
  [{ name: 'a' }, 'an "inputSchema"'],
  [{ name: 'a', inputSchema: 'object' }, 'an "inputSchema"'],
] as const)(
  '%j is not a definition, and the problem names the missing field',
  ([value, expected]) => {
    expect(parseToolDefinition(value)).toMatchObject({
      warnings: [{ path: '', expected, code: 'malformed-definition' }],
    })
  },
)

test('law: any input gives a definition or problems, and nothing is thrown', () => {
  const thrower = {
    get name(): never {
      throw new Error('a trap')
    },
  }
  expect(parseToolDefinition(thrower).definition).toBeUndefined()
  const field = fc.oneof(fc.anything(), fc.constant(null), fc.string())
  const value = fc.record({
    name: fc.oneof(fc.string(), field),
    inputSchema: fc.oneof(fc.constant({ type: 'object' }), field),
    title: field,
    annotations: field,
    icons: field,
    _meta: field,
  })
  fc.assert(
    fc.property(value, (document) => {
      const { definition } = parseToolDefinition(document)
      expect(definition === undefined || isToolDefinition(definition)).toBe(true)
    }),
  )
})
