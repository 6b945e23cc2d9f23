import { booleanQuestion, type ContentBlock } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { toMessage } from './question-message.ts'

test('a client is shown the blocks and the question in their order, without those it has seen', () => {
  const [seen, before, after] = ['seen', 'before', 'after'].map((text): ContentBlock => ({
    type: 'text',
    text,
  })) as [ContentBlock, ContentBlock, ContentBlock]
  const message = toMessage(booleanQuestion({ id: 'go', text: 'Go on?' }), {
    blocks: [seen, before],
    shown: 1,
    after: [after],
    problems: [{ path: '', message: 'expected boolean' }],
    source: { kind: 'question', call: { id: 'c', name: 't', arguments: {} } },
    signal: AbortSignal.abort(),
  })
  expect(message).toBe('before\n\nGo on?\n\nafter\n\nexpected boolean')
})
