import { expect, test } from 'vitest'
import type { JsonSchema } from '@toolblocks/protocol'
import { readAnswer } from './read-answer.ts'

const read = (text: string, schema: JsonSchema, id = 'q') =>
  readAnswer(text, { id, text: 'Q?', schema })

test.for<[string, JsonSchema, unknown]>([
  ['true', { type: 'boolean' }, true],
  ['true', { type: 'string' }, 'true'],
  ['3', { type: 'integer' }, 3],
  ['3', { type: 'string' }, '3'],
  ['3', {}, '3'],
  ['main', { enum: ['main'] }, 'main'],
  ['["a"]', { type: 'array' }, ['a']],
  ['{"a":1}', { type: 'object', properties: { a: { type: 'integer' } } }, { a: 1 }],
])('%s is read as %j wants it', ([text, schema, value]) => {
  expect(read(text, schema)).toEqual({ ok: true, value })
})

test.for<[string, JsonSchema, string]>([
  ['perhaps', { type: 'boolean' }, 'expected boolean, got string "perhaps"'],
  ['0', { type: 'integer', minimum: 1 }, 'expected a number >= 1, got number 0'],
  ['12345', { type: 'string', maxLength: 3 }, 'expected at most 3 characters, got 5'],
  [
    '{"a":"x"}',
    { type: 'object', properties: { a: { type: 'integer' } } },
    '/a expected integer, got string "x"',
  ],
])('%s for %j is told what is wrong', ([text, schema, message]) => {
  expect(read(text, schema)).toEqual({ ok: false, message })
})

test('what was typed for a secret is not repeated', () => {
  const answer = read('hunter2', { type: 'string', maxLength: 3 }, 'password')
  expect(JSON.stringify(answer)).not.toContain('hunter2')
  expect(answer).toMatchObject({ ok: false, message: expect.stringContaining('does not fit') })
})
