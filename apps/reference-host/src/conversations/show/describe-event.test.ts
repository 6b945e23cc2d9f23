import type { ConversationEvent } from '@toolblocks/conversation-store'
import { expect, test } from 'vitest'
import { describeEvent } from './describe-event.ts'

const words = (text: string): unknown => ({ kind: 'blocks', content: [{ type: 'text', text }] })
const answer = { type: 'answer', id: 'a', callId: 'c' } as const

test.for<[string, ConversationEvent, unknown]>([
  [
    'a message with a thought and data',
    { type: 'assistant_message', content: [], reasoning: 'hm', data: null },
    {
      title: 'assistant',
      facts: [],
      parts: [
        words('(thought) hm'),
        { kind: 'blocks', content: [] },
        { kind: 'values', values: { data: null } },
      ],
    },
  ],
  [
    'an approval of other arguments',
    {
      type: 'approval',
      callId: 'c',
      decision: 'allowed',
      by: 'user',
      arguments: { a: 1 },
      reason: 'fine',
    },
    {
      title: 'approval',
      name: 'allowed',
      facts: ['by user'],
      parts: [words('fine'), { kind: 'values', values: { a: 1 } }],
    },
  ],
  [
    'a secret answer',
    { ...answer, outcome: 'redacted' },
    { title: 'answer', facts: ['a secret, which is not recorded'], parts: [] },
  ],
  [
    'a declined answer',
    { ...answer, outcome: 'declined' },
    { title: 'answer', facts: ['declined'], parts: [] },
  ],
  [
    'no answer',
    { ...answer, outcome: 'cancelled', reason: 'nobody' },
    { title: 'answer', facts: ['cancelled: nobody'], parts: [] },
  ],
  [
    'a compaction',
    { type: 'compaction', fromTurn: 1, toTurn: 2, summary: 'short', toolCalls: 'omit' },
    { title: 'compaction', facts: ['turns 1–2', 'tool calls: omit'], parts: [words('short')] },
  ],
  [
    'a configuration',
    { type: 'configuration', values: { model: 'm' } },
    {
      title: 'configuration',
      facts: [],
      parts: [{ kind: 'values', values: { model: 'm' } }],
    },
  ],
  [
    'what a model was given',
    {
      type: 'delivery',
      callId: 'c',
      deliveries: [
        { callId: 'c', block: 0, uri: 'x:a', sha256: 'a'.repeat(64), turn: 1, form: 'reference' },
        { callId: 'c', block: 1, uri: 'x:b', sha256: 'b'.repeat(64), turn: 1, form: 'cut' },
      ],
      text: 'short',
      wholeLength: 400,
    },
    { title: 'delivery', facts: ['c', 'resources: 2', 'as references: 1', 'cut: 1'], parts: [] },
  ],
])('%s', ([, event, expected]) => {
  expect(describeEvent(event)).toEqual(expected)
})

test('an event of a newer version is told whole', () => {
  const value = { type: 'later', x: 1 }
  expect(describeEvent({ type: 'unknown', value })).toMatchObject({
    parts: [{ kind: 'values', values: { event: value } }],
  })
})
