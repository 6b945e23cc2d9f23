import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { FIXTURES } from '../fixtures.support.ts'
import type { ReadConversation } from '../convert/read-conversation.ts'
import { readConversations } from '../import-conversation.ts'
import { openSource } from '../sources/source.ts'
import { getSource } from '../sources/make-source.support.ts'

function getPath(format: string): string {
  return FIXTURES.find((fixture) => fixture.format === format)?.path ?? ''
}

const saidIn = ({ events }: ReadConversation): readonly unknown[] =>
  events.map(({ event }) => event)

test('ChatGPT: every conversation of a file is read, with all branches of its tree in the order of writing', () => {
  const [lamps, fog, ...others] = readConversations(openSource(getPath('chatgpt')))
  expect(others).toEqual([])
  expect([lamps?.id, fog?.id]).toEqual(['chatgpt-chatgpt-1', 'chatgpt-chatgpt-2'])
  expect(lamps && saidIn(lamps)).toMatchObject([
    {
      type: 'configuration',
      imported: { about: { title: 'Count the lamps', model: 'model-one', current_node: 'n11' } },
    },
    {
      content: [
        { type: 'resource_link', uri: 'file-service://file-lamps' },
        { text: 'How many lamps are lit?' },
      ],
    },
    { reasoning: 'Log\nIt has a line for each lamp.', model: 'model-one' },
    { call: { id: 'n4', name: 'python', arguments: { input: "print(open('lamps.txt').read())" } } },
    { result: { id: 'n4', isError: false, content: [{ text: 'north lamp: lit' }] } },
    { content: [{ text: 'One lamp is lit.' }] },
    { content: [{ text: 'And the south one?' }], imported: { fields: { parent: 'n6' } } },
    { type: 'rewind', to: 6 },
    { content: [{ text: 'Light the south one.' }], imported: { fields: { parent: 'n6' } } },
    { call: { id: 'n9', name: 'lamps.set', arguments: { lamp: 'south', state: 'lit at dusk' } } },
    { result: { id: 'n9', isError: true, content: [{ text: 'no oil is left' }] } },
    { content: [{ text: '{"content_type":"sonar_reading","depth":"nine fathoms"}' }] },
  ])
  expect(lamps?.events.map(({ at }) => at.slice(17, 19))).toEqual(
    '00 01 02 03 04 05 06 07 07 08 09 10'.split(' '),
  )
})

test('ChatGPT: reads a single conversation, whose originals are the bytes of its messages', () => {
  const [, fog] = JSON.parse(readFileSync(getPath('chatgpt'), 'utf8')) as readonly object[]
  const text = JSON.stringify(fog, null, 2)
  const [read, ...others] = readConversations(getSource(text, { path: '/x/fog.json' }))
  expect(others).toEqual([])
  expect(read).toMatchObject({ format: 'chatgpt', id: 'chatgpt-chatgpt-2', title: 'Fog' })
  for (const { original } of read?.events ?? [])
    expect(text).toContain(Buffer.from(original ?? []).toString())
})

test('ChatGPT: reads a tree with cycles and with references to missing nodes', () => {
  const node = (id: string, parent: string, role: string) => ({
    id,
    parent,
    children: [],
    message: { author: { role }, content: { content_type: 'text', parts: [id] } },
  })
  const mapping = {
    a: node('a', 'b', 'user'),
    b: node('b', 'a', 'tool'),
    c: node('c', 'gone', 'tool'),
  }
  const [read] = readConversations(
    getSource(JSON.stringify([{ id: 'x', mapping }]), { path: '/x/a.json' }),
  )
  expect(read?.before).toMatchObject({ userMessages: 1, results: 2, unknown: 0 })
})

test('ChatGPT: reads every known field of a message', () => {
  const node = (
    id: string,
    parent: string | null,
    role: string,
    content: object,
    more: object,
  ) => ({
    id,
    parent,
    children: [],
    message: { id, author: { role }, content, ...more },
  })
  const contents = (...parts: readonly unknown[]) => ({ content_type: 'text', parts })
  const voice = { content_type: 'audio_transcription', text: 'Light it.', direction: 'in' }
  const failed = { metadata: { aggregate_result: { status: 'failed_with_exception' } } }
  const mapping = {
    root: { id: 'root', message: null, parent: null, children: ['a'] },
    a: node('a', 'root', 'user', { content_type: 'multimodal_text', parts: [voice] }, {}),
    b: node('b', 'a', 'assistant', { content_type: 'reasoning_recap', content: 'Thought.' }, {}),
    c: node('c', 'b', 'assistant', contents('{"lamp":"north"}'), { recipient: 'lamps' }),
    d: node('d', 'c', 'tool', { content_type: 'execution_output', text: 'dark' }, failed),
    e: node('e', 'd', 'assistant', contents('It is dark.'), {
      recipient: 'all',
      status: 'finished',
    }),
  }
  const text = JSON.stringify({ id: 'x', title: 'Lamps', mapping })
  const [read] = readConversations(getSource(text, { path: '/x/a.json' }))
  expect(read).toMatchObject({ id: 'chatgpt-x', title: 'Lamps', before: { userMessages: 1 } })
  expect(read && saidIn(read)).toMatchObject([
    {
      type: 'user_message',
      content: [{ text: 'Light it.' }],
      imported: { about: { mapping: { root: { children: ['a'] } } } },
    },
    { type: 'assistant_message', reasoning: 'Thought.' },
    { call: { id: 'c', name: 'lamps', arguments: { lamp: 'north' } } },
    { result: { id: 'c', isError: true, content: [{ text: 'dark' }] } },
    {
      type: 'assistant_message',
      content: [{ text: 'It is dark.' }],
      imported: { fields: { parent: 'd', message: { status: 'finished' } } },
    },
  ])
  expect(read?.events.at(-1)?.event.imported?.fields?.['message']).not.toHaveProperty('content')
})

test('ChatGPT: a message without a time follows the one that it answers, wherever it is in the file', () => {
  const node = (id: string, parent: string | null, role: string, time: number | null) => ({
    id,
    parent,
    children: [],
    message: {
      author: { role },
      create_time: time,
      content: { content_type: 'text', parts: [id] },
    },
  })
  const mapping = {
    d: node('d', 'c', 'assistant', 3),
    c: node('c', 'b', 'user', null),
    b: node('b', 'a', 'assistant', 2),
    a: node('a', null, 'user', 2),
  }
  const text = JSON.stringify({ id: 'x', create_time: 1, mapping })
  const [read] = readConversations(getSource(text, { path: '/x/a.json' }))
  expect(read?.events.map(({ event }) => ('content' in event ? event.content : []))).toMatchObject(
    ['a', 'b', 'c', 'd'].map((id) => [{ text: id }]),
  )
})

test('claude.ai: pairs calls without ids with the next results, and reads the text of files as resources', () => {
  const [lamps, fog] = readConversations(openSource(getPath('claude-ai')))
  expect([lamps?.id, fog?.id, fog?.title]).toEqual([
    'claude-ai-claude-1',
    'claude-ai-claude-2',
    undefined,
  ])
  expect(lamps && saidIn(lamps)).toMatchObject([
    {
      content: [
        { text: 'How many lamps are lit?' },
        { resource: { uri: 'lamps.txt', text: 'north lamp: lit\nsouth lamp: dark' } },
        { type: 'resource_link', name: 'lamps.png' },
      ],
      imported: { about: { title: 'Count the lamps', summary: 'One of two lamps is lit.' } },
    },
    { reasoning: 'The log has a line for each lamp.', content: [{ text: 'I look at the log.' }] },
    { call: { id: 'message-2-3', name: 'web_search', arguments: { query: 'lamps that burn' } } },
    { result: { id: 'message-2-3', isError: false } },
    { content: [{ text: 'One lamp is lit.' }] },
    {
      content: [{ text: 'Thank you.' }],
      imported: { fields: { parent_message_uuid: 'message-2' } },
    },
  ])
})

test('claude.ai: uses ids if present, and a failed call has an error as its result', () => {
  const content = [
    { type: 'tool_use', id: 'one', name: 'look', input: { at: 'a' } },
    { type: 'tool_use', id: 'two', name: 'look', input: { at: 'b' } },
    {
      type: 'tool_result',
      tool_use_id: 'two',
      content: [{ type: 'text', text: 'gone' }],
      is_error: true,
    },
    { type: 'tool_result', content: 'there' },
  ]
  const chat = {
    uuid: 'u',
    name: 'n',
    chat_messages: [{ uuid: 'm', sender: 'assistant', content }],
  }
  const [read] = readConversations(getSource(JSON.stringify(chat), { path: '/x/a.json' }))
  expect(read && saidIn(read)).toMatchObject([
    { call: { id: 'one', arguments: { at: 'a' } } },
    { call: { id: 'two' } },
    { result: { id: 'two', isError: true, content: [{ text: 'gone' }] } },
    { result: { id: 'one', isError: false, content: [{ text: 'there' }] } },
  ])
})

test('an export that is cut off gives the conversations before the cut, and reports what is lost', () => {
  for (const format of ['chatgpt', 'claude-ai'] as const) {
    const bytes = readFileSync(getPath(format))
    const cut = bytes.subarray(0, bytes.lastIndexOf('Is there fog?'))
    const read = readConversations(getSource(cut, { path: '/x/conversations.json' }), {
      from: format,
    })
    expect(read.map(({ title }) => title)).toEqual(['Count the lamps'])
    expect(read[0]?.problems).toMatchObject([{ code: 'torn-record' }])
  }
})
