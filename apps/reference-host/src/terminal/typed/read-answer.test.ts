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
])('%s is parsed by the schema %j', async ([text, schema, value]) => {
  expect(await read(text, schema)).toEqual({ ok: true, value })
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
])('%s for %j is refused with the reason', async ([text, schema, message]) => {
  expect(await read(text, schema)).toEqual({ ok: false, message })
})

test('a typed secret is not repeated', async () => {
  const answer = await read('hunter2', { type: 'string', maxLength: 3 }, 'password')
  expect(JSON.stringify(answer)).not.toContain('hunter2')
  expect(answer).toEqual({
    ok: false,
    message: 'expected at most 3 characters; it is a secret, so it is not shown',
  })
})

const signIn = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 3 },
    age: { type: 'integer' },
    password: { type: 'string', minLength: 9 },
    vault: { type: 'object', writeOnly: true, properties: { shelf: { type: 'integer' } } },
    codes: { type: 'array', items: { type: 'string', format: 'password', maxLength: 1 } },
  },
  required: ['name', 'password'],
  additionalProperties: false,
} as const

test.for<[object, string]>([
  [
    { name: 'A', age: 'x', password: 'hunter2' },
    '/name expected at least 3 characters, got 1; /age expected integer, got string "x"; /password expected at least 9 characters; it is a secret, so it is not shown',
  ],
  [
    { name: 'Ada', password: 'hunter2hunter2', vault: { shelf: 'hunter2' } },
    '/vault/shelf expected integer; it is a secret, so it is not shown',
  ],
  [
    { name: 'Ada', password: 'hunter2hunter2', codes: ['hunter2'] },
    '/codes/0 expected at most 1 character; it is a secret, so it is not shown',
  ],
])('a secret in a form hides only its own problem: %j', async ([value, message]) => {
  expect(await read(JSON.stringify(value), signIn)).toEqual({ ok: false, message })
})

test('a value that contains a secret is not repeated', async () => {
  const inner = { type: 'object', properties: { sign_in: signIn } } as const
  for (const value of [{ sign_in: ['hunter2'] }, ['hunter2'], { sign_in: { wat: 'hunter2' } }])
    expect(JSON.stringify(await read(JSON.stringify(value), inner))).not.toContain('hunter2')
})

const HIDDEN = '; it is a secret, so it is not shown'
const vault = {
  type: 'object',
  properties: {
    pin: { type: 'integer', writeOnly: true },
    open: { type: 'object', additionalProperties: { type: 'integer' } },
    list: { type: 'array', prefixItems: [{ type: 'integer' }] },
    never: false,
  },
  additionalProperties: { type: 'integer' },
} as const

test.for<[unknown, string]>([
  [{ more: 'v' }, `/more expected integer${HIDDEN}`],
  [{ open: { x: 'v' } }, `/open/x expected integer${HIDDEN}`],
  [{ list: ['v'] }, `/list/0 expected integer${HIDDEN}`],
  [{ pin: 'v' }, `/pin expected integer${HIDDEN}`],
  [{ never: 'v' }, '/never is not allowed'],
  ['v', `expected object${HIDDEN}`],
])(
  'in a form with a secret, a field that no schema describes counts as one: %j',
  async ([value, message]) => {
    expect(await read(JSON.stringify(value), vault)).toEqual({ ok: false, message })
  },
)

test('in a form without a secret nothing is hidden', async () => {
  const form = {
    type: 'object',
    properties: { a: { type: 'array', prefixItems: [{ type: 'integer' }] } },
    additionalProperties: false,
  } as const
  const message =
    '/b is not a known property; expected only "a"; /a/0 expected integer, got string "v"'
  expect(await read('{"a":["v"],"b":1}', form)).toEqual({ ok: false, message })
})

test('a question with an invalid schema cannot be answered', async () => {
  const schema: unknown = { type: 'nothing' }
  expect(await read('a', schema as JsonSchema)).toEqual({
    ok: false,
    message: 'the question has no valid schema',
  })
})
