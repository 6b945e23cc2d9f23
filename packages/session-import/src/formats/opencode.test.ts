import { expect, test } from 'vitest'
import { readFixture } from '../fixtures.support.ts'
import { readConversations } from '../import-conversation.ts'
import { getSource } from '../sources/make-source.support.ts'

const folder = '/home/user/lighthouse'

const OPENCODE = [
  { content: [{ text: 'How many lamps are lit?' }, { type: 'image', mimeType: 'image/png' }] },
  {
    reasoning: 'The log has a line for each lamp.',
    model: 'model-one',
    usage: {
      inputTokens: 40,
      cachedInputTokens: 30,
      cacheWriteTokens: 0,
      outputTokens: 9,
      reasoningTokens: 3,
    },
    imported: {
      fields: { parts: [{ type: 'step-start' }, { type: 'patch' }, { type: 'step-finish' }] },
    },
  },
  { call: { id: 'call-1', name: 'read', arguments: { filePath: `${folder}/lamps.txt` } } },
  {
    result: { id: 'call-1', isError: false, content: [{ text: 'north lamp: lit' }] },
    imported: { fields: { title: 'lamps.txt', metadata: { preview: 'north lamp' } } },
  },
  { call: { id: 'call-2' } },
  { result: { id: 'call-2', isError: true, content: [{ text: 'bell: not found' }] } },
  { content: [{ text: 'One lamp is lit.' }] },
]

test.for([
  'opencode/storage/session/global/ses_1.json',
  'opencode/export/ses_2.json',
  'opencode-sqlite/opencode.sql',
])('%s gives the same conversation as the other storage forms of opencode', (name) => {
  const { id, plainEvents, events, title, problems } = readFixture(name)
  expect(plainEvents).toMatchObject(OPENCODE)
  expect([id, title]).toEqual([
    expect.stringMatching(/^opencode(?:-sqlite)?-ses_[123]$/),
    'Count the lamps',
  ])
  expect(plainEvents[0]).toMatchObject({
    imported: {
      about: { folder, model: 'model-one', version: expect.stringMatching(/^1\.[12]\./) },
    },
  })
  expect(events[0]?.at).toBe('2026-02-03T04:05:01.000Z')
  expect(problems).toEqual([])
})

test('opencode: reports a torn part and reads all others; does not follow names of folders', () => {
  const info = { id: 'ses_1', title: 't', version: '1', directory: '/w', time: { created: 1 } }
  const beside = {
    '../../message/ses_1/msg_1.json': { id: 'msg_1', role: 'user' },
    '../../part/msg_1/prt_1.json': { type: 'text', text: 'Hello.' },
    '../../part/msg_1/prt_2.json': 'torn',
  }
  const source = getSource(JSON.stringify(info, null, 2), { path: '/x/ses_1.json', beside })
  const [conversation] = readConversations(source)
  expect(conversation?.events.map(({ event }) => event)).toMatchObject([
    { type: 'user_message', content: [{ text: 'Hello.' }] },
  ])
  expect(conversation?.problems).toMatchObject([{ code: 'torn-record' }])
  const stranger = { ...info, id: '../ses_1' }
  const [other] = readConversations(
    getSource(JSON.stringify(stranger, null, 2), { path: '/x/a.json', beside }),
  )
  expect(other?.events).toEqual([])
})

test('opencode: keeps what came with a result in it, and a running call has no result', () => {
  const file = {
    type: 'file',
    mime: 'text/plain',
    filename: 'a.txt',
    url: 'data:text/plain;base64,YQ==',
  }
  const tool = (callID: string, state: object) => ({ type: 'tool', tool: 'look', callID, state })
  const session = {
    info: { id: 'ses_1', title: 't', version: '1', directory: '/w', time: { created: 1 } },
    messages: [
      {
        info: { id: 'msg_1', role: 'assistant' },
        parts: [
          tool('c', { status: 'completed', input: {}, output: 'seen', attachments: [file] }),
          tool('d', { status: 'running', input: { at: 'a' }, title: 'Looking' }),
        ],
      },
    ],
  }
  const [conversation] = readConversations(
    getSource(JSON.stringify(session), { path: '/x/session.json' }),
  )
  expect(conversation?.events.map(({ event }) => event)).toMatchObject([
    { call: { id: 'c' } },
    {
      result: {
        id: 'c',
        content: [
          { text: 'seen' },
          { type: 'resource', resource: { uri: 'a.txt', mimeType: 'text/plain', blob: 'YQ==' } },
        ],
      },
    },
    { call: { id: 'd', arguments: { at: 'a' } }, imported: { fields: { title: 'Looking' } } },
  ])
})

test('opencode: parts are under the id of their message, and an interrupted message is read too', () => {
  const info = { id: 'ses_1', title: 't', version: '1', directory: '/w', time: { created: 1 } }
  const error = { name: 'MessageAbortedError', data: { message: 'stopped' } }
  const beside = {
    '../../message/ses_1/1.json': { id: 'msg_1', role: 'user' },
    '../../message/ses_1/2.json': {
      id: 'msg_2',
      role: 'assistant',
      model: { modelID: 'm' },
      error,
    },
    '../../part/msg_1/prt_1.json': { type: 'text', text: 'Hello.' },
  }
  const [conversation] = readConversations(
    getSource(JSON.stringify(info), { path: '/x/ses_1.json', beside }),
  )
  expect(conversation?.events.map(({ event }) => event)).toMatchObject([
    { type: 'user_message', content: [{ text: 'Hello.' }] },
    { type: 'assistant_message', content: [], model: 'm', imported: { fields: { error } } },
  ])
})
