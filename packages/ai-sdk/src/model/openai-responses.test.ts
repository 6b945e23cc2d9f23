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

const openai = (baseURL: string): LanguageModelV4 => createOpenAI({ apiKey: 'k', baseURL })('gpt-5')

const event = (type: string, more: object): string =>
  `event: ${type}\n${data({ type, sequence_number: 1, ...more })}`

const begun = [
  event('response.created', { response: { id: 'resp_1', created_at: 1, model: 'gpt-5' } }),
  event('response.in_progress', { response: { id: 'resp_1', created_at: 1, model: 'gpt-5' } }),
]

function item(output_index: number, outputItem: object): string[] {
  return [
    event('response.output_item.added', { output_index, item: outputItem }),
    event('response.output_item.done', { output_index, item: outputItem }),
  ]
}

function called(index: number, name: string, argumentsText: string): string[] {
  const id = `fc_${index}`
  return item(index, {
    type: 'function_call',
    id,
    call_id: `call_${index}`,
    name,
    arguments: argumentsText,
    status: 'completed',
  })
}

const thought = { type: 'reasoning', id: 'rs_1', encrypted_content: 'sealed', summary: [] }
const messageItem = { type: 'message', id: 'msg_1', role: 'assistant', content: [] }
const usage = { input_tokens: 11, output_tokens: 7 }

const calls = [
  ...begun,
  event('response.output_item.added', { output_index: 0, item: { ...thought } }),
  event('response.reasoning_summary_part.added', { item_id: 'rs_1', summary_index: 0 }),
  event('response.reasoning_summary_text.delta', {
    item_id: 'rs_1',
    summary_index: 0,
    delta: 'Hm.',
  }),
  event('response.reasoning_summary_part.done', { item_id: 'rs_1', summary_index: 0 }),
  event('response.output_item.done', { output_index: 0, item: { ...thought } }),
  event('response.output_item.added', { output_index: 1, item: messageItem }),
  event('response.output_text.delta', { item_id: 'msg_1', output_index: 1, delta: 'One ' }),
  event('response.output_text.delta', { item_id: 'msg_1', output_index: 1, delta: 'moment.' }),
  event('response.output_item.done', { output_index: 1, item: messageItem }),
  ...called(2, 'fs_read', '{"path":"a"}'),
  ...called(3, 'invented', '{}'),
  ...called(4, 'fs_read', '{"path":'),
  event('response.completed', { response: { usage } }),
]
const done = [
  ...begun,
  event('response.output_item.added', { output_index: 0, item: messageItem }),
  event('response.output_text.delta', { item_id: 'msg_1', output_index: 0, delta: 'Done.' }),
  event('response.output_item.done', { output_index: 0, item: messageItem }),
  event('response.completed', { response: { usage } }),
]

test('text and reasoning are streamed; parallel calls, an invented name and a malformed call are complete', async () => {
  const { url, paths } = await serve({ lines: calls })
  const events = await ask(openai(url))
  expect(paths).toEqual(['/v1/responses'])
  expect(events.slice(0, -1)).toEqual([
    { type: 'reasoning', text: 'Hm.' },
    { type: 'text', text: 'One ' },
    { type: 'text', text: 'moment.' },
  ])
  expect(events.at(-1)).toMatchObject({
    usage: { inputTokens: 11, outputTokens: 7 },
    message: {
      content: [{ type: 'text', text: 'One moment.' }],
      reasoning: 'Hm.',
      calls: [
        { id: 'call_2', name: 'fs.read', arguments: { path: 'a' } },
        { id: 'call_3', name: 'invented', arguments: {} },
        { id: 'call_4', name: 'fs.read', arguments: '{"path":' },
      ],
    },
  })
})

test('all parts are sent back: the encrypted reasoning, the text, each call with its result, and the picture', async () => {
  const { url, bodies } = await serve({ lines: calls }, { lines: done })
  const first = makeMessage(await ask(openai(url)))
  // In the format in which a conversation is stored.
  const kept: typeof first = JSON.parse(JSON.stringify(first))
  expect((await answerWithPicture(openai(url), kept)).at(-1)).toMatchObject({
    message: { content: [{ text: 'Done.' }] },
  })
  expect(bodies[0]).toMatchObject({ store: false, include: ['reasoning.encrypted_content'] })
  const { input } = bodies[1] as { input: unknown[] }
  expect(input.slice(2)).toMatchObject([
    { type: 'reasoning', encrypted_content: 'sealed', summary: [{ text: 'Hm.' }] },
    { role: 'assistant', content: 'One moment.' },
    { type: 'function_call', call_id: 'call_2', name: 'fs_read', arguments: '{"path":"a"}' },
    { type: 'function_call', call_id: 'call_3', name: 'invented' },
    {
      type: 'function_call',
      call_id: 'call_4',
      arguments: JSON.stringify({ not_an_object: '{"path":' }),
    },
    {
      type: 'function_call_output',
      call_id: 'call_2',
      output: [
        { type: 'input_text', text: expect.stringContaining('A pixel:') },
        { type: 'input_image', image_url: `data:image/png;base64,${PNG}` },
      ],
    },
    { type: 'function_call_output', call_id: 'call_3', output: expect.stringContaining('failed') },
    { type: 'function_call_output', call_id: 'call_4', output: expect.stringContaining('failed') },
  ])
  expect(JSON.stringify(input)).not.toContain('item_reference')
})

test.for(REFUSALS)('HTTP %s is %s, with the message of OpenAI', async ([status, code]) => {
  const lines = [
    JSON.stringify({ error: { message: 'so it is', type: 'x', param: null, code: null } }),
  ]
  const { url } = await serve({ status, headers: { 'retry-after-ms': '20' }, lines })
  await expect(ask(openai(url))).rejects.toMatchObject({
    code,
    message: `so it is (HTTP ${status})`,
    retryAfterMs: 20,
  })
})

test.for([
  ['rate_limit_exceeded', 'unavailable', 429],
  ['server_error', 'unavailable', 500],
  ['invalid_prompt', 'refused', 400],
] as const)(
  'the failure %s in the middle of a stream is %s, with its reason',
  async ([reason, code, status]) => {
    const error = { code: reason, message: 'so it is' }
    const lines = [
      ...begun,
      event('response.output_item.added', { output_index: 0, item: messageItem }),
      event('response.output_text.delta', { item_id: 'msg_1', output_index: 0, delta: 'Half' }),
      event('response.failed', { response: { error } }),
    ]
    const { url } = await serve({ lines })
    await expect(ask(openai(url))).rejects.toMatchObject({
      code,
      message: `so it is (HTTP ${status})`,
    })
  },
)

test('a stream that breaks off, or ends too early, is an error that can be retried', async () => {
  const half = calls.slice(0, 8)
  const broken = await serve({ lines: half, breaks: true })
  await expect(ask(openai(broken.url))).rejects.toMatchObject({ code: 'unavailable' })
  const short = await serve({ lines: half })
  await expect(ask(openai(short.url))).rejects.toMatchObject({ code: 'unavailable' })
})

test('a message that ended at its limit has that reason', async () => {
  const incomplete = { usage, incomplete_details: { reason: 'max_output_tokens' } }
  const { url } = await serve({
    lines: [...done.slice(0, -1), event('response.incomplete', { response: incomplete })],
  })
  expect((await ask(openai(url))).at(-1)).toMatchObject({ type: 'message', cut: 'tokens' })
})
