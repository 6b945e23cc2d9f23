import type { ContentBlock } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { readOne } from '../complete-conversation.support.ts'
import { getLines } from '../sources/make-source.support.ts'

/** A picture of one dot, and the same as some programs write it. */
const DOT = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'
const BROKEN = `${DOT.slice(0, 20)}\n${DOT.slice(20)}`
const URI = `data:image/gif;base64,${DOT}`

const claude = (content: readonly object[]): string =>
  getLines([
    {
      parentUuid: null,
      sessionId: 's',
      uuid: 'u',
      timestamp: '2026-02-03T04:05:06.000Z',
      type: 'user',
      message: { role: 'user', content },
    },
  ])
const image = (data: string): object => ({
  type: 'image',
  source: { type: 'base64', media_type: 'image/gif', data },
})

const say = (content: unknown): readonly object[] => [{ role: 'user', content }]

test.for<[string, string | readonly unknown[]]>([
  ['Claude Code, with a line break', claude([image(BROKEN)])],
  ['Claude Code, as a data: URI', claude([image(URI)])],
  [
    'Claude Code, from a tool',
    claude([{ type: 'tool_result', tool_use_id: 'c', content: [image(BROKEN)] }]),
  ],
  [
    'Anthropic',
    [
      ...say([image(URI)]),
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'x', input: {} }] },
    ],
  ],
  ['OpenAI', say([{ type: 'image_url', image_url: { url: `data:image/gif;base64,${BROKEN}` } }])],
  [
    'the AI SDK',
    [
      {
        id: 'm',
        role: 'user',
        parts: [{ type: 'file', url: `data:image/gif;base64,${BROKEN}`, mediaType: 'image/gif' }],
      },
    ],
  ],
  ['Gemini', [{ role: 'user', parts: [{ inlineData: { mimeType: 'image/gif', data: BROKEN } }] }]],
  [
    'pi',
    getLines([
      { type: 'session', id: 's' },
      {
        type: 'message',
        id: 'a',
        parentId: null,
        message: { role: 'user', content: [{ type: 'image', data: URI, mimeType: 'image/gif' }] },
      },
    ]),
  ],
])(
  '%s: a picture with base64 that has a clear meaning is read, with the warning of the parser',
  ([, content]) => {
    const { events, problems } = readOne(content, '/x/chat.jsonl')
    const blocks = events.flatMap(({ event }): readonly ContentBlock[] => {
      if (event.type === 'user_message') return event.content
      return event.type === 'tool_result' ? event.result.content : []
    })
    expect(blocks.find(({ type }) => type === 'image')).toMatchObject({
      data: DOT,
      mimeType: 'image/gif',
    })
    expect(problems).toMatchObject([
      {
        code: 'repaired-base64',
        message: expect.stringMatching(/^\/content\/0\/data: The base64 was repaired: /),
      },
    ])
  },
)

test('the result of a tool has the warning in its metadata', () => {
  const content = [{ type: 'tool_result', tool_use_id: 'c', content: [image(BROKEN)] }]
  const { events } = readOne(claude(content), '/x/chat.jsonl')
  expect(events[0]?.event).toMatchObject({
    result: { metadata: { warnings: [{ path: '/content/0/data', code: 'repaired-base64' }] } },
  })
})

test('base64 without a clear meaning is kept unchanged and reported', () => {
  const { events, problems } = readOne(claude([image('no picture!')]), '/x/chat.jsonl')
  expect(events[0]?.event).toMatchObject({ content: [{ type: 'image', data: 'no picture!' }] })
  expect(problems).toMatchObject([{ code: 'invalid-base64', path: '/0' }])
})

test('a file, and a picture whose source states no type, are repaired alike', () => {
  const document = {
    type: 'document',
    title: 'a.pdf',
    source: { type: 'base64', media_type: 'application/pdf', data: `${DOT}\n` },
  }
  const unknown = { type: 'image', source: { type: 'base64', data: URI } }
  const { events } = readOne(claude([document, unknown]), '/x/chat.jsonl')
  expect(events[0]?.event).toMatchObject({
    content: [
      { type: 'resource', resource: { uri: 'a.pdf', blob: DOT } },
      { type: 'image', mimeType: 'image/gif', data: DOT },
    ],
  })
})
