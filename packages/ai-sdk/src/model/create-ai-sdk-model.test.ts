import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { createAnthropic } from '@ai-sdk/anthropic'
import { expect, test } from 'vitest'
import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { ModelError, type ModelEvent } from '@toolblocks/agent'
import { createAiSdkModel } from './create-ai-sdk-model.ts'
import { ask, data, REFUSALS, serve } from './streams.support.ts'

const compatible = (baseURL: string): LanguageModelV4 =>
  createOpenAICompatible({ name: 'test', baseURL })('m')

const delta = (fields: object, finish: string | null = null): string =>
  data({ id: 'x', choices: [{ index: 0, delta: fields, finish_reason: finish }] })

test('text is streamed, and the message at the end contains it with its calls', async () => {
  const { url, bodies } = await serve({
    lines: [
      delta({ role: 'assistant', content: 'One ' }),
      delta({ content: 'moment.' }),
      delta({
        tool_calls: [
          { index: 0, id: 'call_9', function: { name: 'fs_read', arguments: '{"path":' } },
        ],
      }),
      delta({ tool_calls: [{ index: 0, function: { arguments: '"a"}' } }] }),
      delta({}, 'tool_calls'),
      data({ id: 'x', choices: [], usage: { prompt_tokens: 5, completion_tokens: 7 } }),
      'data: [DONE]\n\n',
    ],
  })
  const events = await ask(compatible(url))
  expect(events).toEqual([
    { type: 'text', text: 'One ' },
    { type: 'text', text: 'moment.' },
    {
      type: 'message',
      message: {
        role: 'assistant',
        content: [{ type: 'text', text: 'One moment.' }],
        calls: [{ id: 'call_9', name: 'fs.read', arguments: { path: 'a' } }],
      },
      model: 'm',
      usage: { inputTokens: 5, outputTokens: 7 },
    },
  ])
  expect(bodies[0]).toMatchObject({
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hi.' },
    ],
    tools: [{ function: { name: 'fs_read', description: 'Reads.' } }],
  })
})

const event = (type: string, more: object): string => `event: ${type}\n${data({ type, ...more })}`

test('Anthropic overloaded in the middle of a stream is an error with its reason', async () => {
  const message = { id: 'm', type: 'message', role: 'assistant', model: 'c', content: [] }
  const usage = { input_tokens: 1, output_tokens: 1 }
  const { url } = await serve({
    lines: [
      event('message_start', { message: { ...message, usage } }),
      event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
      event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'Half' } }),
      event('error', { error: { type: 'overloaded_error', message: 'Overloaded' } }),
    ],
  })
  const model = createAnthropic({ apiKey: 'k', baseURL: url })('claude-x')
  await expect(ask(model)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('Overloaded'),
  })
})

test('reasoning is kept with the signature of its provider', async () => {
  const { url } = await serve({
    lines: [
      event('message_start', {
        message: {
          id: 'm',
          type: 'message',
          role: 'assistant',
          model: 'c',
          content: [],
          usage: { input_tokens: 1, output_tokens: 1 },
        },
      }),
      event('content_block_start', { index: 0, content_block: { type: 'thinking', thinking: '' } }),
      event('content_block_delta', {
        index: 0,
        delta: { type: 'thinking_delta', thinking: 'Hm.' },
      }),
      event('content_block_delta', {
        index: 0,
        delta: { type: 'signature_delta', signature: 'sig' },
      }),
      event('content_block_stop', { index: 0 }),
      event('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } }),
      event('message_stop', {}),
    ],
  })
  const events = await ask(createAnthropic({ apiKey: 'k', baseURL: url })('claude-x'))
  expect(events.at(-1)).toMatchObject({
    type: 'message',
    message: {
      reasoning: 'Hm.',
      _meta: {
        'ai-sdk': [{ type: 'reasoning', providerOptions: { anthropic: { signature: 'sig' } } }],
      },
    },
  })
})

test.for(REFUSALS)('HTTP %s is %s, with the message of the provider', async ([status, code]) => {
  const { url } = await serve({
    status,
    headers: { 'retry-after': '7' },
    lines: [JSON.stringify({ error: { message: 'so it is' } })],
  })
  const error = await ask(compatible(url)).catch((cause: unknown) => cause)
  expect(error).toBeInstanceOf(ModelError)
  expect(error).toMatchObject({
    code,
    message: `so it is (HTTP ${status})`,
    retryAfterMs: 7000,
  })
})

test('a stream that breaks off is an error that can be retried', async () => {
  const { url } = await serve({ lines: [delta({ content: 'Half' })], breaks: true })
  await expect(ask(compatible(url))).rejects.toMatchObject({ code: 'unavailable' })
})

test('a provider that cannot be reached is an error that can be retried', async () => {
  const { url, stop } = await serve({ lines: [] })
  await stop()
  await expect(ask(compatible(url))).rejects.toMatchObject({ code: 'unavailable' })
})

test('all of a request reaches the model of the SDK, with the format of results', async () => {
  const received: LanguageModelV4CallOptions[] = []
  const usage = {
    inputTokens: { total: 3, noCache: 3, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: undefined, text: undefined, reasoning: undefined },
  }
  const model: LanguageModelV4 = {
    specificationVersion: 'v4',
    provider: 'openai.responses',
    modelId: 'm',
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('streams only')),
    doStream: async (options) => {
      received.push(options)
      const stream = new ReadableStream({
        start: (controller) => {
          const finishReason = { unified: 'length', raw: 'length' } as const
          controller.enqueue({ type: 'finish', finishReason, usage })
          controller.close()
        },
      })
      return { stream }
    },
  }
  const uri = 'file:///w/notes.txt'
  const { signal } = new AbortController()
  const answer = createAiSdkModel(model, { root: '/w', resourceHeader: 'name' })
  const events: ModelEvent[] = []
  for await (const each of answer(
    {
      instructions: 'Be brief.',
      messages: [
        { role: 'user', content: [{ type: 'resource', resource: { uri, text: 'all of it' } }] },
      ],
      tools: [{ name: 'read', summary: 'Reads.', inputSchema: { type: 'object' } }],
      toolChoice: 'required',
      maxOutputTokens: 12,
    },
    signal,
  ))
    events.push(each)
  const [options] = received
  expect(options).toMatchObject({
    tools: [{ type: 'function', name: 'read', description: 'Reads.' }],
    toolChoice: { type: 'required' },
    maxOutputTokens: 12,
    providerOptions: { openai: { store: false } },
  })
  expect(options?.abortSignal).toBe(signal)
  const prompt = JSON.stringify(options?.prompt)
  expect(prompt).toContain('Be brief.')
  expect(prompt).toMatch(/Resource [^/"]*notes\.txt/)
  expect(events).toEqual([
    {
      type: 'message',
      message: { role: 'assistant', content: [], calls: [] },
      model: 'm',
      usage: { inputTokens: 3 },
      cut: 'tokens',
    },
  ])
})
