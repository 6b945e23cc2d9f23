import { expect, test } from 'vitest'
import { CANCEL_REASONS, isAnswer, isAnswers } from './answer.ts'

test.for([{}, { a: null, b: [1, { c: 'x' }] }])('%j are answers', (value) => {
  expect(isAnswers(value)).toBe(true)
})

test.for<[string, unknown]>([
  ['a function', { a: () => 1 }],
  ['nothing', { a: undefined }],
  ['no number', { a: [NaN] }],
  ['a date', { a: new Date(0) }],
])('an object with %s as an answer is not valid, because JSON cannot represent it', ([, value]) => {
  expect(isAnswers(value)).toBe(false)
})

test.for([null, [], 'a', 1])('%j are not answers', (value) => {
  expect(isAnswers(value)).toBe(false)
})

test.for([
  { action: 'accept', value: null },
  { action: 'accept', value: { a: [1] } },
  { action: 'decline' },
  { action: 'decline', note: 'unknown fields are kept' },
  ...CANCEL_REASONS.map((reason) => ({ action: 'cancel', reason })),
  { action: 'cancel', reason: 'failed', message: 'no answer fitted' },
])('%j is an answer', (value) => {
  expect(isAnswer(value)).toBe(true)
})

test.for([
  null,
  'decline',
  {},
  { action: 'accept' },
  { action: 'accept', value: undefined },
  { action: 'accept', value: [NaN] },
  { action: 'cancel' },
  { action: 'cancel', reason: 'bored' },
  { action: 'cancel', reason: 'user', message: 7 },
  { action: 'skip' },
  Object.create({ action: 'decline' }),
])('%j is not an answer', (value) => {
  expect(isAnswer(value)).toBe(false)
})
