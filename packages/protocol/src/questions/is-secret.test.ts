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
  { id: 'API_KEYS' },
  { id: 'dbPasswd' },
  { id: 'OTPCode' },
  { id: 'credit-card' },
  { id: 'password2' },
  { id: 'pwd', schema: { type: ['string', 'null'], minLength: 8 } },
  { id: 'tokens', schema: { type: 'array', items: { type: 'string' } } },
  { id: 'token', schema: true },
])('%j is a secret', (extra) => {
  expect(isSecret({ ...plain, ...extra })).toBe(true)
})

test.for([
  {},
  { text: 'Rename parse_token?' },
  { text: 'Your password?' },
  { id: 'pinned' },
  { id: 'passenger' },
  { id: 'tokenize' },
  { id: 'max_tokens', schema: { type: 'integer' } },
  { id: 'delete_token', schema: { type: 'boolean' } },
  { id: 'token_kind', schema: { type: 'string', enum: ['bearer', 'basic'] } },
  { id: 'token_kind', schema: { oneOf: [{ const: 'bearer' }, { const: 'basic' }] } },
  { schema: true },
])('%j is none', (extra) => {
  expect(isSecret({ ...plain, ...extra })).toBe(false)
})
