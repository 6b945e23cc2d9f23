import { expect, test } from 'vitest'
import { isSecret } from './is-secret.ts'

const plain = { id: 'name', text: 'Name?', schema: { type: 'string' } }

test.for([
  { schema: { type: 'string', format: 'password' } },
  { schema: { type: 'string', writeOnly: true } },
  { schema: { properties: { user: {}, password: { type: 'string' } } } },
  { schema: { properties: { a: { type: 'string', format: 'password' } } } },
  { schema: { anyOf: [{ type: 'null' }, { type: 'string', format: 'password' }] } },
  { schema: { $ref: '#/$defs/key', $defs: { key: { type: 'string', writeOnly: true } } } },
  { schema: { type: 'array', items: { properties: { apiKey: {} } } } },
  { id: 'apiKey' },
  { id: 'github_token' },
  { text: 'Enter your one-time OTP code' },
  { text: 'Card number:' },
])('%j is a secret', (extra) => {
  expect(isSecret({ ...plain, ...extra })).toBe(true)
})

test.for([
  {},
  { text: 'Pinned version?' },
  { id: 'passenger' },
  { text: 'Tokenize it?' },
  { schema: true },
])('%j is none', (extra) => {
  expect(isSecret({ ...plain, ...extra })).toBe(false)
})
