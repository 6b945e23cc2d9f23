import type { JsonSchema } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { checkArguments, type CheckedArguments } from './check-arguments.ts'

const given = { id: 'call-1', name: 'read', arguments: { path: 'a.txt' } }

test.for<[string, JsonSchema, CheckedArguments]>([
  ['fit at first sight', { type: 'object' }, { verdict: 'valid', problems: [] }],
  [
    'fit as the thorough check sees',
    { properties: { path: { pattern: '^a' } } },
    { verdict: 'valid', problems: [] },
  ],
  [
    'do not fit',
    { properties: { path: { type: 'integer' } } },
    {
      verdict: 'invalid',
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
      verdict: 'unchecked',
      problems: [
        {
          path: '/$ref',
          message:
            'the schema refers to "https://example.com/schema.json"; only "#" and "#/..." in the same schema are followed',
          code: 'schema-reference',
        },
      ],
    },
  ],
  [
    'come with a schema that is none',
    { type: 'odd' },
    {
      verdict: 'unchecked',
      problems: [
        {
          path: '/type',
          message:
            'expected "array", "boolean", "integer", "null", "number", "object" or "string", got string "odd"',
          expected: '"array", "boolean", "integer", "null", "number", "object" or "string"',
          got: 'string "odd"',
          code: 'enum',
        },
      ],
    },
  ],
])('arguments that %s', async ([, schema, checked]) => {
  expect(await checkArguments(given, schema)).toEqual(checked)
})
