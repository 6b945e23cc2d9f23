import { type StoredEvent, projectHistory, readHistory } from '@toolblocks/conversation-store'
import { expect, test } from 'vitest'
import { readOne } from '../complete-conversation.support.ts'
import { getLines } from '../sources/make-source.support.ts'

const timestamp = '2026-02-03T04:05:06.000Z'
const claude = (uuid: string, type: string, content: unknown, more: object = {}): object => ({
  parentUuid: null,
  sessionId: 's',
  uuid,
  timestamp,
  type,
  message: { role: type, content },
  ...more,
})
const side = { isSidechain: true, agentId: 'a1' }
const use = (id: string): readonly object[] => [{ type: 'tool_use', id, name: 'look', input: {} }]
const answer = (id: string): readonly object[] => [
  { type: 'tool_result', tool_use_id: id, content: `found by ${id}` },
]

const copilot = (id: string, type: string, data: object, more: object = {}): object => ({
  id,
  type,
  timestamp,
  data,
  ...more,
})

test.for<[string, readonly object[], string]>([
  [
    'Claude Code',
    [
      claude('1', 'user', 'Count.'),
      claude('2', 'assistant', use('task')),
      claude('3', 'user', 'Count the north ones.', side),
      claude('4', 'assistant', use('inner'), side),
      claude('5', 'user', answer('inner'), side),
      claude('6', 'assistant', use('open'), side),
      claude('7', 'assistant', 'I break everything.', side),
      claude('8', 'user', answer('task')),
      claude('9', 'assistant', 'One lamp.'),
    ],
    'a1',
  ],
  [
    'GitHub Copilot CLI',
    [
      copilot('0', 'session.start', { sessionId: 's' }),
      copilot('1', 'user.message', { content: 'Count.' }),
      copilot('2', 'tool.execution_start', { toolCallId: 'task', toolName: 'task', arguments: {} }),
      copilot('3', 'assistant.message', {
        content: 'I break everything.',
        parentToolCallId: 'task',
      }),
      copilot('4', 'tool.execution_complete', {
        toolCallId: 'task',
        success: true,
        result: { content: 'found by task' },
      }),
      copilot('5', 'assistant.message', { content: 'One lamp.' }),
    ],
    'task',
  ],
])(
  '%s: what an agent said and did in the file is its own, and its model alone received it',
  ([, records, agent]) => {
    const { events } = readOne(getLines(records), '/x/s.jsonl')
    const stored = events.map(({ event, at }, index): StoredEvent => ({
      seq: index + 1,
      at,
      event: event as StoredEvent['event'],
    }))
    const own = events.filter(({ event }) => event.imported?.agent === agent)
    expect(JSON.stringify(own)).toContain('I break everything.')
    expect(JSON.stringify(own)).not.toContain('One lamp.')
    const history = readHistory(stored)
    expect(history.entries.at(-1)?.turn).toBe(1)
    expect(JSON.stringify(history)).toContain('I break everything.')
    const projected = JSON.stringify(projectHistory(history))
    expect(projected).toContain('found by task')
    expect(projected).toContain('One lamp.')
    expect(projected).not.toMatch(/break everything|north ones|inner|"open"/)
  },
)

test('the session of an agent itself is its own conversation', () => {
  const { events } = readOne(
    getLines([claude('3', 'user', 'Count.', side), claude('4', 'assistant', 'One.', side)]),
    '/x/s.jsonl',
  )
  const stored = events.map(({ event, at }, index): StoredEvent => ({
    seq: index + 1,
    at,
    event: event as StoredEvent['event'],
  }))
  expect(JSON.stringify(projectHistory(readHistory(stored)))).toContain('One.')
})
