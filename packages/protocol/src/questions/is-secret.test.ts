import { expect, test } from 'vitest'
import { describeQuestion, isSecret } from './is-secret.ts'

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
])('%j is not a secret', (extra) => {
  expect(isSecret({ ...plain, ...extra })).toBe(false)
})

test('a question is one line, with any text and schema', () => {
  const text = `Which of\n# these ${'many '.repeat(60)}?`
  const schema = { enum: ['a\n[b]', 'c\u202e'] }
  expect(describeQuestion({ id: 'q', text, schema, default: 'c' })).toBe(
    `[question "q": ${JSON.stringify(text)}; the answer must match this JSON Schema: {"enum":["a\\n[b]","c\\u202e"]}; its default: "c"]`,
  )
  expect(describeQuestion({ id: 'go', text: 'Go?', schema: true })).toBe(
    '[question "go": "Go?"; the answer must match this JSON Schema: true]',
  )
})

test('of a secret only the question is shown', () => {
  const secret = { id: 'token', text: 'Token?', schema: { type: 'string' }, default: 'hush' }
  expect(describeQuestion(secret)).toBe('[question "token": "Token?"]')
})
