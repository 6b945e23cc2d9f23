import { expect, test } from 'vitest'
import { isAnswers } from './answer.ts'

test.for([{}, { a: null, b: [1, { c: 'x' }] }])('%j are answers', (value) => {
  expect(isAnswers(value)).toBe(true)
})

test.for<[string, unknown]>([
  ['a function', { a: () => 1 }],
  ['nothing', { a: undefined }],
  ['no number', { a: [NaN] }],
  ['a date', { a: new Date(0) }],
])('an object with %s for an answer is none, as JSON cannot carry it', ([, value]) => {
  expect(isAnswers(value)).toBe(false)
})

test.for([null, [], 'a', 1])('%j are none', (value) => {
  expect(isAnswers(value)).toBe(false)
})
