import { expect, test } from 'vitest'
import { isInquiryEvent } from './inquiry-event.ts'

const ids = { id: 'call-1.go.1', callId: 'call-1' }
const question = { id: 'go', text: 'Go?', schema: { type: 'boolean' } }

test.for([
  { type: 'question', ...ids, question, asked: 'user' },
  { type: 'answer', ...ids, outcome: 'answered', value: null },
  { type: 'answer', ...ids, outcome: 'redacted' },
  { type: 'answer', ...ids, outcome: 'declined', extra: 1 },
  { type: 'answer', ...ids, outcome: 'cancelled', reason: 'of-the-future' },
])('%j is an event', (value) => {
  expect(isInquiryEvent(value)).toBe(true)
})

test.for([
  null,
  { type: 'question', ...ids, question },
  { type: 'question', ...ids, question: {}, asked: 'user' },
  { type: 'question', ...ids, question, asked: 'toString' },
  { type: 'answer', ...ids, outcome: 'answered' },
  { type: 'answer', ...ids, outcome: 'cancelled' },
  { type: 'answer', ...ids, outcome: 'forgotten' },
  { type: 'answer', id: 'x', outcome: 'declined' },
  { type: 'delivery', ...ids },
])('%j is none', (value) => {
  expect(isInquiryEvent(value)).toBe(false)
})
