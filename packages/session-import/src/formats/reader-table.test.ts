import { FORMAT_NAMES, type FormatName } from '@toolblocks/conversation-store'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readOne } from '../complete-conversation.support.ts'
import { getLines } from '../sources/make-source.support.ts'

const timestamp = '2026-02-03T04:05:06.000Z'
/** A picture of one dot. */
const DOT = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'
const URI = `data:image/gif;base64,${DOT}`
const source = { type: 'base64', media_type: 'image/gif', data: DOT }

/** What a person sent: one picture. */
const PICTURES: Readonly<Partial<Record<FormatName, string | readonly object[]>>> = {
  'claude-code': getLines([
    {
      parentUuid: null,
      sessionId: 's',
      uuid: 'u',
      timestamp,
      type: 'user',
      message: { role: 'user', content: [{ type: 'image', source }] },
    },
  ]),
  codex: getLines([
    { timestamp, type: 'session_meta', payload: { id: 's' } },
    {
      timestamp,
      type: 'response_item',
      payload: {
        type: 'message',
        role: 'user',
        content: [{ type: 'input_image', image_url: URI }],
      },
    },
  ]),
  'gemini-cli': getLines([
    { sessionId: 's', projectHash: 'h', startTime: timestamp },
    {
      id: 'm',
      timestamp,
      type: 'user',
      content: [{ inlineData: { mimeType: 'image/gif', data: DOT } }],
    },
  ]),
  'qwen-code': getLines([
    {
      uuid: 'u',
      parentUuid: null,
      sessionId: 's',
      timestamp,
      type: 'user',
      message: { role: 'user', parts: [{ inlineData: { mimeType: 'image/gif', data: DOT } }] },
    },
  ]),
  'copilot-cli': getLines([
    { type: 'session.start', timestamp, data: { sessionId: 's' } },
    {
      type: 'user.message',
      timestamp,
      data: { content: 'Look.', attachments: [{ data: DOT, mimeType: 'image/gif' }] },
    },
  ]),
  opencode: JSON.stringify({
    info: { id: 's', title: 't', version: '1', directory: '/x', time: { created: 1 } },
    messages: [
      {
        info: { id: 'm', role: 'user', time: { created: 1 } },
        parts: [{ type: 'file', url: URI, mime: 'image/gif' }],
      },
    ],
  }),
  cline: [{ role: 'user', ts: 1, content: [{ type: 'image', source }] }],
  pi: getLines([
    { type: 'session', id: 's', timestamp },
    {
      type: 'message',
      id: 'a',
      parentId: null,
      timestamp,
      message: { role: 'user', content: [{ type: 'image', data: DOT, mimeType: 'image/gif' }] },
    },
  ]),
  'ai-sdk': [
    { id: 'm', role: 'user', parts: [{ type: 'file', url: URI, mediaType: 'image/gif' }] },
  ],
  openai: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: URI } }] }],
  anthropic: [
    { role: 'user', content: [{ type: 'image', source }] },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'x', input: {} }] },
  ],
  gemini: [{ role: 'user', parts: [{ inlineData: { mimeType: 'image/gif', data: DOT } }] }],
  'message-lines': getLines([
    { role: 'user', content: [{ type: 'image_url', image_url: { url: URI } }] },
    { role: 'assistant', content: 'A dot.' },
  ]),
}

const NO_TREE = 'the messages of an API are a list'
const SAMPLE = 'tested: branches.test.ts'
const IN_FILE = 'tested: agents-in-file.test.ts'
const ONCE = 'tested: messages-once.test.ts'
const OWN_FILE = 'an agent has a session of its own'
const NO_COPIES = 'the program writes each message once'
const PICTURE = 'a picture in the table above'
const API = { branch: NO_TREE, agent: 'the messages of an API name no agent', repeated: NO_COPIES }

/** How each format records what is hard to read, or why it cannot. Titles, times and outcomes have tables of their own. */
const TABLE: Readonly<
  Record<FormatName, Readonly<Record<'repeated' | 'branch' | 'agent' | 'image', string>>>
> = {
  jp: {
    repeated: NO_COPIES,
    branch: 'the program removes the turns that a person takes back',
    agent: 'the program has no agents',
    image: 'tested: jp.test.ts',
  },
  lace: {
    repeated: NO_COPIES,
    branch: 'the log only grows',
    agent: OWN_FILE,
    image: 'tested: lace.test.ts',
  },
  'lace-sqlite': {
    repeated: NO_COPIES,
    branch: 'each version of a thread is a conversation of its own',
    agent: OWN_FILE,
    image: 'tested: lace.test.ts',
  },
  toolblocks: {
    repeated: NO_COPIES,
    branch: 'rewinds are events of the export',
    agent: OWN_FILE,
    image: 'blocks are read unchanged; tested: toolblocks.test.ts',
  },
  'toolblocks-sqlite': {
    repeated: NO_COPIES,
    branch: 'rewinds are events of the store',
    agent: OWN_FILE,
    image: 'blocks are read unchanged; tested: toolblocks.test.ts',
  },
  'claude-code': { repeated: ONCE, branch: SAMPLE, agent: IN_FILE, image: PICTURE },
  codex: {
    repeated: 'tested: codex-turn-items.test.ts',
    branch: SAMPLE,
    agent: 'tested: codex-turn-items.test.ts',
    image: PICTURE,
  },
  'gemini-cli': { repeated: ONCE, branch: SAMPLE, agent: OWN_FILE, image: PICTURE },
  'qwen-code': { repeated: ONCE, branch: SAMPLE, agent: OWN_FILE, image: PICTURE },
  'copilot-cli': {
    repeated:
      'a call is written when it is requested and when it starts; tested: copilot-cli.test.ts',
    branch: SAMPLE,
    agent: IN_FILE,
    image: PICTURE,
  },
  opencode: { repeated: 'a message is one file', branch: SAMPLE, agent: OWN_FILE, image: PICTURE },
  'opencode-sqlite': {
    repeated: 'a message is one row',
    branch: 'read as opencode; tested: branches.test.ts',
    agent: OWN_FILE,
    image: 'read as opencode; tested: opencode.test.ts',
  },
  cline: {
    repeated: NO_COPIES,
    branch: 'the program removes the messages that a person takes back',
    agent: 'the program has no agents',
    image: PICTURE,
  },
  cursor: {
    repeated: NO_COPIES,
    branch: 'a transcript and an export have one branch',
    agent: OWN_FILE,
    image: 'both have only texts',
  },
  chatgpt: {
    repeated: 'a message is one node',
    branch: SAMPLE,
    agent: 'an export names no agent',
    image: 'files are beside the export and become links; tested: exports.test.ts',
  },
  'claude-ai': {
    repeated: 'a message has one entry',
    branch: SAMPLE,
    agent: 'an export names no agent',
    image: 'an export has only the names of files; tested: exports.test.ts',
  },
  pi: { repeated: ONCE, branch: SAMPLE, agent: 'the program has no agents', image: PICTURE },
  'ai-sdk': { ...API, image: PICTURE },
  openai: { ...API, image: PICTURE },
  anthropic: { ...API, image: PICTURE },
  gemini: { ...API, image: PICTURE },
  'message-lines': { ...API, image: PICTURE },
}

test('the table says for every format how it records repeats, branches, agents and images', () => {
  expect(Object.keys(TABLE).toSorted()).toEqual([...FORMAT_NAMES].toSorted())
  const cells = Object.values(TABLE).flatMap((row) => Object.values(row))
  const files = cells.flatMap((cell) => /tested: (\S+)/.exec(cell)?.[1] ?? [])
  expect(files.filter((file) => !existsSync(join(import.meta.dirname, file)))).toEqual([])
  const pictured = FORMAT_NAMES.filter((name) => TABLE[name].image === PICTURE)
  expect(Object.keys(PICTURES).toSorted()).toEqual(pictured.toSorted())
})

test.for(Object.entries(PICTURES))('%s: a picture of a person is one', ([format, content]) => {
  const read = readOne(
    content,
    `/x/${format === 'cline' ? 'task/api_conversation_history' : 's'}.json`,
  )
  expect(read.format).toBe(format)
  expect(read.problems).toEqual([])
  const blocks = read.events.flatMap(({ event }) =>
    event.type === 'user_message' ? event.content : [],
  )
  expect(blocks).toContainEqual(
    expect.objectContaining({ type: 'image', data: DOT, mimeType: 'image/gif' }),
  )
})
