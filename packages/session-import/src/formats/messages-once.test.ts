import { getPersonText, openStore } from '@toolblocks/conversation-store'
import { expect, onTestFinished, test } from 'vitest'
import { getText } from '@toolblocks/protocol'
import { importConversation, readConversations } from '../import-conversation.ts'
import { getLines, getSource } from '../sources/make-source.support.ts'

const timestamp = '2026-02-03T04:05:06.000Z'
const path = '/x/session.jsonl'

/** Imports lines, and returns what was said and called, in order, and the counts. */
async function importLines(records: readonly unknown[]) {
  const store = await openStore('memory:')
  onTestFinished(() => store.close())
  const [read] = readConversations(getSource(getLines(records), { path }))
  if (!read) throw new Error('expected a conversation')
  const { conversation, after } = await importConversation(store, read)
  const { events } = await store.read(conversation, { limit: Infinity })
  const transcript = events.flatMap(({ event }) => {
    if (event.type === 'user_message') return [`person: ${getPersonText(event)}`]
    if (event.type === 'tool_call') return [`call ${event.call.id}`]
    if (event.type === 'tool_result') return [`result ${event.result.id}`]
    if (event.type !== 'assistant_message') return []
    return [`model: ${event.content.map((block) => getText(block)).join('')}`]
  })
  return { transcript, after, store, read }
}

const claude = (type: string, content: unknown, more: object = {}): object => ({
  parentUuid: null,
  sessionId: 's',
  timestamp,
  uuid: `u-${JSON.stringify(content)}`,
  type,
  message: { role: type, content },
  ...more,
})
const call = claude('assistant', [{ type: 'tool_use', id: 'c', name: 'x', input: {} }])
const result = claude('user', [{ type: 'tool_result', tool_use_id: 'c', content: 'a' }])
const queue = (operation: string, content: string, more: object = {}): object => ({
  type: 'queue-operation',
  operation,
  timestamp,
  sessionId: 's',
  content,
  ...more,
})
const attach = (attachment: object): object => ({
  parentUuid: null,
  uuid: `u-${JSON.stringify(attachment)}`,
  timestamp,
  sessionId: 's',
  type: 'attachment',
  attachment: { type: 'queued_command', ...attachment },
})

test('Claude Code: words that a person typed while it worked are messages where the model received them', async () => {
  const absorbed = { reason: 'absorbed_mid_turn' }
  const { transcript, after, store } = await importLines([
    claude('user', 'Build it.'),
    call,
    queue('enqueue', 'Use the other lamp.'),
    result,
    attach({ commandMode: 'prompt', prompt: 'And write it down.' }),
    queue('remove', 'Use the other lamp.', absorbed),
    claude('assistant', [{ type: 'text', text: 'Yes.' }]),
  ])
  expect(transcript).toEqual([
    'person: Build it.',
    'call c',
    'result c',
    'person: And write it down.',
    'person: Use the other lamp.',
    'model: Yes.',
  ])
  expect(after).toMatchObject({ userMessages: 3, unknown: 1 })
  expect(await store.search({ text: 'other lamp' })).toHaveLength(1)
})

test('Claude Code: queued words are one message, and none if the person took them back or a program wrote them', async () => {
  const { transcript } = await importLines([
    // Absorbed, and written as an attachment.
    queue('enqueue', 'One.'),
    attach({ prompt: [{ type: 'text', text: 'One.' }] }),
    queue('remove', 'One.', { reason: 'absorbed_mid_turn' }),
    // Waited until the end of the turn, and then became an ordinary message.
    queue('enqueue', 'Two.'),
    queue('dequeue', 'Two.'),
    claude('user', 'Two.'),
    // Taken back.
    queue('enqueue', 'Three.'),
    queue('popAll', 'Three.'),
    queue('enqueue', 'Four.'),
    queue('remove', 'Four.'),
    attach({ commandMode: 'task-notification', prompt: 'Five.' }),
    attach({ type: 'file', prompt: 'Six.' }),
  ])
  expect(transcript).toEqual(['person: One.', 'person: Two.'])
})

const gemini = (id: string, type: string, text: string, more: object = {}): object => ({
  id,
  timestamp,
  type,
  content: text,
  ...more,
})
const head = { sessionId: 's', projectHash: 'h', startTime: timestamp }
const toolCalls = [
  {
    id: 'c',
    name: 'x',
    args: {},
    status: 'success',
    result: [{ functionResponse: { id: 'c', response: { output: 'a' } } }],
  },
]

test('Gemini CLI: a line that sets the messages of a session has them, each with its own time, model and tokens', async () => {
  const tokens = { input: 5, output: 2, total: 7 }
  const later = '2026-02-03T05:00:00.000Z'
  const messages = [
    gemini('m1', 'user', 'Look.'),
    gemini('m2', 'gemini', 'I look.', { toolCalls, tokens, model: 'm', timestamp: later }),
  ]
  const { transcript, after, read } = await importLines([
    head,
    { $set: { messages } },
    gemini('m3', 'user', 'And now?', { timestamp: later }),
  ])
  expect(transcript).toEqual([
    'person: Look.',
    'model: I look.',
    'call c',
    'result c',
    'person: And now?',
  ])
  expect(after).toMatchObject({ userMessages: 2, assistantMessages: 1, unknown: 1 })
  expect(read.events.map(({ at }) => at)).toEqual([
    timestamp,
    timestamp,
    later,
    later,
    later,
    later,
  ])
  expect(read.events.filter(({ original }) => original)).toHaveLength(3)
  expect(read.events[2]?.event).toMatchObject({ model: 'm', usage: { inputTokens: 5 } })
})

test.for([
  {
    name: 'Gemini CLI: the last version of a message',
    records: [
      head,
      gemini('m', 'gemini', '', { toolCalls: [{ ...toolCalls[0], result: undefined }] }),
      gemini('m', 'gemini', 'There are', { toolCalls }),
      gemini('m', 'gemini', 'There are two.', { toolCalls }),
      gemini('n', 'gemini', 'There are two.'),
    ],
    transcript: ['model: There are two.', 'call c', 'result c', 'model: There are two.'],
  },
  {
    name: 'Gemini CLI: a message that is set again',
    records: [
      head,
      gemini('m', 'user', 'Look.'),
      { $set: { messages: [gemini('m', 'user', 'Look.'), gemini('n', 'gemini', 'Yes.')] } },
    ],
    transcript: ['person: Look.', 'model: Yes.'],
  },
  {
    name: 'Claude Code: a record with the same uuid',
    records: [
      claude('user', 'Look.', { uuid: '1' }),
      claude('assistant', 'Yes.', { uuid: '2' }),
      claude('user', 'Look.', { uuid: '1' }),
      claude('user', 'Look.', { uuid: '3' }),
    ],
    transcript: ['person: Look.', 'model: Yes.', 'person: Look.'],
  },
  {
    name: 'Qwen Code: a record with the same uuid',
    records: ['1', '1', '2'].map((uuid) => ({
      ...claude('user', '', { uuid }),
      message: { role: 'user', parts: [{ text: 'Look.' }] },
    })),
    transcript: ['person: Look.', 'person: Look.'],
  },
  {
    name: 'pi: an entry with the same id',
    records: [
      { type: 'session', version: 3, id: 's', timestamp },
      ...['1', '1', '2'].map((id) => ({
        type: 'message',
        id,
        parentId: null,
        timestamp,
        message: { role: 'user', content: 'Look.' },
      })),
    ],
    transcript: ['person: Look.', 'person: Look.'],
  },
])('$name is read once', async ({ records, transcript }) => {
  expect((await importLines(records)).transcript).toEqual(transcript)
})

test('Cursor: a query is what the person said, and the elements around it are the program’s', async () => {
  const line = (text: string): object => ({
    role: 'user',
    message: { content: [{ type: 'text', text }] },
  })
  expect(
    (
      await importLines([
        line('<user_query>\nWhy is it slow?\n</user_query>'),
        line('<attached_files>\na\n</attached_files>\n<user_query>\nAnd this?\n</user_query>'),
        { role: 'user', message: { content: '<user_query>Now?</user_query>' } },
      ])
    ).transcript,
  ).toEqual(['person: Why is it slow?', 'person: And this?', 'person: Now?'])
  // The time for an element without an end is linear in its text.
  const open = `<user_query>${' '.repeat(1_000_000)}x`
  expect((await importLines([line('Hello'), line(open)])).transcript).toEqual([
    'person: Hello',
    `person: ${open}`,
  ])
})
