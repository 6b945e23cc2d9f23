import { expect, test } from 'vitest'
import { booleanQuestion, isInputRequest, selectQuestion, textQuestion } from './input-request.ts'

test('a boolean question asks for true or false', () => {
  const question = booleanQuestion({ id: 'apply', text: 'Apply?', default: true })
  expect(question).toEqual({
    id: 'apply',
    text: 'Apply?',
    schema: { type: 'boolean' },
    default: true,
  })
  expect(isInputRequest(question)).toBe(true)
})

test('a select question asks for one of its options', () => {
  const options = ['main', 'develop'] as const
  const question = selectQuestion({ id: 'branch', text: 'Which branch?', options, default: 'main' })
  expect(question).toEqual({
    id: 'branch',
    text: 'Which branch?',
    schema: { type: 'string', enum: ['main', 'develop'] },
    default: 'main',
  })
  expect(isInputRequest(question)).toBe(true)
})

test('a text question asks for a string, and without a default it has none', () => {
  const question = textQuestion({ id: 'name', text: 'What is it called?' })
  expect(question).toEqual({ id: 'name', text: 'What is it called?', schema: { type: 'string' } })
  expect(isInputRequest(question)).toBe(true)
})
