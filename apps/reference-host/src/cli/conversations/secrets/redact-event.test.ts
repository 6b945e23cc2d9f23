import type { ConversationEvent } from '@toolblocks/conversation-store'
import { expect, test } from 'vitest'
import { createRedactor, redactEvent } from './redact-event.ts'

const SECRET = 'glpat-Cy9R4NPz24ii38svgnLx'
const redactor = createRedactor([SECRET, 'content'])

test('a secret is removed from every field of a block, whatever the field is called', () => {
  const block = { type: 'text', text: SECRET, id: SECRET, kind: SECRET, outcome: `a ${SECRET}` }
  const event = {
    type: 'tool_result',
    result: { id: 'content', isError: false, content: [block] },
  } as unknown as ConversationEvent
  expect(redactEvent(event, redactor)).toEqual({
    type: 'tool_result',
    result: {
      id: 'content',
      isError: false,
      content: [
        {
          type: 'text',
          text: '[scrubbed]',
          id: '[scrubbed]',
          kind: '[scrubbed]',
          outcome: 'a [scrubbed]',
        },
      ],
    },
  })
})

test('the digest of an output is omitted with its secret, because it proves a guess', () => {
  const result = (text: string): ConversationEvent => ({
    type: 'tool_result',
    result: {
      id: 'c',
      content: [{ type: 'text', text }],
      isError: false,
      metadata: { durationMs: 1, raw: { sha256: '960c01a5', bytes: 22 } },
    },
  })
  const own = createRedactor([SECRET])
  expect(JSON.stringify(redactEvent(result(SECRET), own))).not.toContain('960c01a5')
  expect(redactEvent(result('done'), own)).toEqual(result('done'))
})
