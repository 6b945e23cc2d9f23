import assert from 'node:assert/strict'
import { compileSchema } from '@toolblocks/schema-check'

// A server sent this schema, and nobody checked it.
const schema = compileSchema({
  type: 'object',
  properties: { path: { type: 'string' }, limit: { type: 'integer', minimum: 1 } },
  required: ['path'],
  additionalProperties: false,
})
assert(schema.ok)

const { verdict, problems } = schema.check({ limit: '10', pth: 'a.txt' })
assert.equal(verdict, 'invalid')
assert.deepEqual(
  problems.map(({ path, message }) => `${path} ${message}`),
  [
    '/path is required and missing; expected string',
    '/pth is not a known property; expected only "path" or "limit"',
    '/limit expected integer, got string "10"',
  ],
)

// A pattern that could take too long is refused and not run. Unchecked is never valid.
const hostile = compileSchema({ pattern: '^(?=(a+)+$)' })
assert(hostile.ok)
assert.equal(hostile.check('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!').verdict, 'unchecked')
