import type { ConversationEvent, HistoryEntry } from '@toolblocks/conversation-store'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { writeMarkdown } from './write-markdown.ts'

const at = '2026-05-06T07:00:00.000Z'
const write = (...events: readonly ConversationEvent[]): string => {
  const entries = events.map((event, index): HistoryEntry => ({
    seq: index + 1,
    at,
    turn: 1,
    event,
  }))
  return [...writeMarkdown('c', entries, {})].join('')
}

test('whatever a message, a call or a result says, it stands in a quotation', () => {
  const hostile = fc.array(fc.constantFrom('\n', '\r', '# x', '```', '`', '<!--', 'a ', '\u2028'))
  fc.assert(
    fc.property(
      hostile.map((pieces) => pieces.join('')),
      (text) => {
        const content = [{ type: 'text', text }] as const
        const written = write(
          { type: 'user_message', content },
          { type: 'tool_call', call: { id: text, name: text, arguments: { [text]: text } } },
          { type: 'tool_result', result: { id: text, content, isError: false } },
        )
        const own = written.split(/\r\n?|\n/).filter((line) => line !== '' && !line.startsWith('>'))
        expect(own).toHaveLength(5)
        expect(own.slice(0, 3)).toEqual([
          '# Conversation `c`',
          '## Turn 1, 2026-05-06 07:00 UTC',
          '### user',
        ])
        expect(own[3]).toMatch(/^### call/)
        expect(own[4]).toMatch(/^### result/)
      },
    ),
  )
})
