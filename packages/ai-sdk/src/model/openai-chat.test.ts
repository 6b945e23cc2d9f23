import { createOpenAI } from '@ai-sdk/openai'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import { expect, test } from 'vitest'
import {
  answerWithPicture,
  ask,
  data,
  makeMessage,
  PNG,
  REFUSALS,
  serve,
} from './streams.support.ts'

const openai = (baseURL: string): LanguageModelV4 =>
  createOpenAI({ apiKey: 'k', baseURL }).chat('gpt-4.1')

const delta = (fields: object, finish: string | null = null): string =>
  data({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'gpt-4.1',
    choices: [{ index: 0, delta: fields, finish_reason: finish }],
  })

const called = (index: number, name: string, ...pieces: readonly string[]): string[] => [
  delta({
    tool_calls: [
      { index, id: `call_${index}`, type: 'function', function: { name, arguments: '' } },
    ],
  }),
  ...pieces.map((piece) => delta({ tool_calls: [{ index, function: { arguments: piece } }] })),
]

const usage = data({
  id: 'chatcmpl-1',
  choices: [],
  usage: { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 },
})
const end = 'data: [DONE]\n\n'

const calls = [
  delta({ role: 'assistant', content: '' }),
  delta({ content: 'One ' }),
  delta({ content: 'moment.' }),
  ...called(0, 'fs_read', '{"path":', '"a"}'),
  ...called(1, 'invented', '{}'),
  ...called(2, 'fs_read', '{"path":'),
  delta({}, 'tool_calls'),
  usage,
  end,
]
const done = [delta({ role: 'assistant', content: 'Done.' }), delta({}, 'stop'), usage, end]

test('text is streamed; parallel calls, an invented name and a malformed call are complete', async () => {
  const { url, paths } = await serve({ lines: calls })
  const events = await ask(openai(url))
  expect(paths).toEqual(['/v1/chat/completions'])
  expect(events).toMatchObject([
    { type: 'text', text: 'One ' },
    { type: 'text', text: 'moment.' },
    {
      usage: { inputTokens: 5, outputTokens: 7 },
      message: {
        content: [{ type: 'text', text: 'One moment.' }],
        calls: [
          { id: 'call_0', name: 'fs.read', arguments: { path: 'a' } },
          { id: 'call_1', name: 'invented', arguments: {} },
          { id: 'call_2', name: 'fs.read', arguments: '{"path":' },
        ],
      },
    },
  ])
})

test('each call is sent back with its result as text, and the picture after all results', async () => {
  const { url, bodies } = await serve({ lines: calls }, { lines: done })
  const first = makeMessage(await ask(openai(url)))
  await answerWithPicture(openai(url), first)
  const { messages } = bodies[1] as { messages: unknown[] }
  expect(messages.slice(2)).toMatchObject([
    {
      role: 'assistant',
      content: 'One moment.',
      tool_calls: [{ id: 'call_0' }, { id: 'call_1' }, { id: 'call_2' }],
    },
    {
      role: 'tool',
      tool_call_id: 'call_0',
      content: expect.stringContaining('follows all results'),
    },
    { role: 'tool', tool_call_id: 'call_1', content: expect.stringContaining('failed') },
    { role: 'tool', tool_call_id: 'call_2', content: expect.stringContaining('failed') },
    {
      role: 'user',
      content: [
        { type: 'text', text: expect.stringContaining('call "call_0"') },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } },
      ],
    },
  ])
})

test.for(REFUSALS)('HTTP %s is %s, with the message of OpenAI', async ([status, code]) => {
  const lines = [
    JSON.stringify({ error: { message: 'so it is', type: 'x', param: null, code: null } }),
  ]
  const { url } = await serve({ status, headers: { 'retry-after': '3' }, lines })
  await expect(ask(openai(url))).rejects.toMatchObject({
    code,
    message: `so it is (HTTP ${status})`,
    retryAfterMs: 3000,
  })
})

test('a failure in the middle of a stream is an error with its reason', async () => {
  const error = { message: 'overloaded for now', type: 'server_error', param: null, code: null }
  const { url } = await serve({ lines: [...done.slice(0, 1), data({ error }), end] })
  await expect(ask(openai(url))).rejects.toMatchObject({
    code: 'unavailable',
    message: 'overloaded for now (HTTP 500)',
  })
})

test('a stream that breaks off is an error that can be retried', async () => {
  const { url } = await serve({ lines: calls.slice(0, 5), breaks: true })
  await expect(ask(openai(url))).rejects.toMatchObject({ code: 'unavailable' })
})

test('a message that a filter ended has that reason', async () => {
  const { url } = await serve({ lines: [...done.slice(0, 1), delta({}, 'content_filter'), end] })
  expect((await ask(openai(url))).at(-1)).toMatchObject({ type: 'message', cut: 'filter' })
})

test.for([
  ['', '{"a":1}'],
  [' ', ''],
])(
  'a call whose name is %j is a call without a name, and the calls beside it are complete',
  async ([name = '', input = '']) => {
    const nameless = delta({
      tool_calls: [{ index: 1, id: 'b', function: { name, arguments: '' } }],
    })
    const { url } = await serve({
      lines: [
        ...called(0, 'fs_read', '{"path":"a"}'),
        nameless,
        delta({ tool_calls: [{ index: 1, function: { arguments: input } }] }),
        delta({}, 'tool_calls'),
        end,
      ],
    })
    expect(makeMessage(await ask(openai(url))).calls).toEqual([
      { id: 'call_0', name: 'fs.read', arguments: { path: 'a' } },
      { id: 'b', name: '', arguments: input === '' ? {} : { a: 1 } },
    ])
  },
)

test('a call that has no name at all is a call without a name, with the text before it', async () => {
  const { url } = await serve({
    lines: [
      delta({ content: 'One moment.' }),
      delta({ tool_calls: [{ index: 0, id: 'b', function: { arguments: '{"a":1}' } }] }),
      delta({}, 'tool_calls'),
      end,
    ],
  })
  expect(makeMessage(await ask(openai(url)))).toMatchObject({
    content: [{ type: 'text', text: 'One moment.' }],
    calls: [{ id: 'b', name: '', arguments: { a: 1 } }],
  })
})

test('a call without a name and its result can be sent back', async () => {
  const lines = [
    delta({ tool_calls: [{ index: 0, id: '', function: { name: '', arguments: '{}' } }] }),
    delta({}, 'tool_calls'),
    end,
  ]
  const { url, bodies } = await serve({ lines }, { lines: done })
  const first = makeMessage(await ask(openai(url)))
  expect(first.calls).toEqual([{ id: 'nameless-1', name: '', arguments: {} }])
  await answerWithPicture(openai(url), first)
  const { messages } = bodies[1] as { messages: { tool_calls?: object[] }[] }
  expect(messages.flatMap((message) => message.tool_calls ?? [])).toEqual([
    { id: 'nameless-1', type: 'function', function: { name: '_', arguments: '{}' } },
  ])
})
