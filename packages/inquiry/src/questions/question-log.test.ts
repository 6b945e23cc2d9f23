import { expect, test } from 'vitest'
import { withoutSecrets } from './question-log.ts'

test('a question for a secret keeps its text and loses its offered values, anywhere in its schema', () => {
  const schema = {
    type: 'object',
    default: { password: 'hunter2' },
    properties: {
      password: { type: 'string', default: 'hunter2', examples: ['hunter2'] },
      default: { type: 'string', anyOf: [{ default: 'hunter2' }] },
    },
    required: ['password'],
  }
  const request = { id: 'login', text: 'Log in', schema, default: { password: 'hunter2' } }
  expect(withoutSecrets(request)).toEqual({
    id: 'login',
    text: 'Log in',
    schema: {
      type: 'object',
      properties: { password: { type: 'string' }, default: { type: 'string', anyOf: [{}] } },
      required: ['password'],
    },
  })
})

test('any other question is recorded unchanged', () => {
  const request = { id: 'name', text: 'Password?', schema: { default: 'a' }, default: 'b' }
  expect(withoutSecrets(request)).toBe(request)
})
