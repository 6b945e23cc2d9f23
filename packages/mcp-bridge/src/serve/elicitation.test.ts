import { booleanQuestion, type ContentBlock, type QuestionContext } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { toElicitation } from './elicitation.ts'

test('a client is shown the blocks and the question in their order, without those it has seen', () => {
  const [seen, before, after] = ['seen', 'before', 'after'].map((text): ContentBlock => ({
    type: 'text',
    text,
  })) as [ContentBlock, ContentBlock, ContentBlock]
  const question = booleanQuestion({ id: 'go', text: 'Go on?' })
  const context: QuestionContext = {
    blocks: [seen, before],
    shown: 1,
    after: [after],
    problems: [{ path: '', message: 'expected boolean' }],
    source: { kind: 'question', call: { id: 'c', name: 't', arguments: {} } },
    signal: AbortSignal.abort(),
  }
  const { params } = toElicitation(question, context, { form: true, url: false }) as {
    params: { message: string }
  }
  expect(params.message).toBe('before\n\nGo on?\n\nafter\n\nexpected boolean')
})
