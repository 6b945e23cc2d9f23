import { expect, test } from 'vitest'
import { describeQuestion } from './describe-question.ts'

test('all of a question is one line, whatever its text and schema are', () => {
  const text = `Which of\n# these ${'many '.repeat(60)}?`
  const schema = { enum: ['a\n[b]', 'c\u202e'] }
  expect(describeQuestion({ id: 'q', text, schema, default: 'c' })).toBe(
    `[question "q": ${JSON.stringify(text)}; its answer fits this JSON Schema: {"enum":["a\\n[b]","c\\u202e"]}; its default: "c"]`,
  )
  expect(describeQuestion({ id: 'go', text: 'Go?', schema: true })).toBe(
    '[question "go": "Go?"; its answer fits this JSON Schema: true]',
  )
})

test('of a secret only what is asked is said', () => {
  const secret = { id: 'token', text: 'Token?', schema: { type: 'string' }, default: 'hush' }
  expect(describeQuestion(secret)).toBe('[question "token": "Token?"]')
})
