import { expect, test } from 'vitest'
import { isInquiryEvent } from './inquiry-event.ts'

const ids = { id: 'call-1.go.1', callId: 'call-1' }
const question = { id: 'go', text: 'Go?', schema: { type: 'boolean' } }

test.for([
  { type: 'question', ...ids, question, asked: 'user' },
  { type: 'answer', ...ids, action: 'accept', value: null },
  { type: 'answer', ...ids, action: 'accept', redacted: true },
  { type: 'answer', ...ids, action: 'decline', extra: 1 },
  { type: 'answer', ...ids, action: 'cancel', reason: 'of-the-future' },
])('%j is an event', (value) => {
  expect(isInquiryEvent(value)).toBe(true)
})

test.for([
  null,
  { type: 'question', ...ids, question },
  { type: 'question', ...ids, question: {}, asked: 'user' },
  { type: 'question', ...ids, question, asked: 'toString' },
  { type: 'answer', ...ids, action: 'accept' },
  { type: 'answer', ...ids, action: 'cancel' },
  { type: 'answer', ...ids, action: 'forget' },
  { type: 'answer', id: 'x', action: 'decline' },
  { type: 'delivery', ...ids },
])('%j is not an event', (value) => {
  expect(isInquiryEvent(value)).toBe(false)
})
