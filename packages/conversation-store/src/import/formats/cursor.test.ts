import { expect, test } from 'vitest'
import { readFixture } from '../fixtures.suite.ts'
import { readConversations } from '../import-conversation.ts'
import { sourceOf } from '../sources/source-of.suite.ts'

test('Cursor: sections of an export are messages, and a rule in one is none', () => {
  const { id, title, said, events } = readFixture('cursor/export/count_the_lamps.md')
  expect([id, title]).toEqual(['cursor-count_the_lamps', 'Count the lamps'])
  expect(said).toMatchObject([
    {
      content: [{ text: 'How many lamps are lit?' }],
      imported: { about: { version: '2.4.21', exported: '2/3/2026 at 04:05:09 GMT+1' } },
    },
    {
      content: [
        { text: expect.stringContaining('---\nsouth lamp: dark\n```\n\nOne lamp is lit – ') },
      ],
    },
    { content: [{ text: 'Thank you.' }] },
    { content: [{ text: 'You are welcome.' }] },
  ])
  expect(Buffer.from(events[2]?.original ?? []).toString()).toBe(
    '---\n\n**User**\n\nThank you.\n\n',
  )
})

test('Cursor: other files of Markdown hold no conversation, whatever stands in them', () => {
  const example = '# How to\n\n{"role":"user","content":"hi"}\n'
  expect(readConversations(sourceOf(example, { path: '/x/README.md' }))).toEqual([])
  expect(
    readConversations(sourceOf('# \n_Exported on a from Cursor (1)_\n', { path: '/x/a.md' })),
  ).toMatchObject([{ events: [] }])
})

test('Cursor: calls of a transcript are numbered', () => {
  expect(
    readFixture('cursor/projects/home-user-lighthouse/agent-transcripts/cursor-1/cursor-1.jsonl')
      .said,
  ).toMatchObject([
    { type: 'user_message' },
    { content: [{ text: 'I look at the log.' }] },
    { call: { id: 'call-1', name: 'Shell', arguments: { command: 'cat lamps.txt' } } },
    { type: 'assistant_message' },
    { type: 'imported_record' },
  ])
})
