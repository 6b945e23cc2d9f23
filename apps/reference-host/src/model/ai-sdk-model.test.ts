import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { createAnthropic } from '@ai-sdk/anthropic'
import { afterEach, expect, test } from 'vitest'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import { createAiSdkModel } from './ai-sdk-model.ts'
import { ModelError } from './model-error.ts'
import type { ModelEvent } from './model.ts'

let server: Server
afterEach(async () => {
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
})

interface Served {
  status?: number
  headers?: Record<string, string>
  lines: readonly string[]
  /** The connection breaks behind the lines. */
  breaks?: boolean
}

/** A provider on loopback that answers everything the same. */
async function serve({ status = 200, headers = {}, lines, breaks }: Served): Promise<{
  url: string
  bodies: unknown[]
}> {
  const bodies: unknown[] = []
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += String(chunk)))
    request.on('end', () => {
      bodies.push(JSON.parse(body))
      const type = status === 200 ? 'text/event-stream' : 'application/json'
      response.writeHead(status, { 'content-type': type, ...headers })
      response.write(lines.join(''), () => {
        if (breaks) response.destroy()
        else response.end()
      })
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/v1`, bodies }
}

const compatible = (baseURL: string): LanguageModelV4 =>
  createOpenAICompatible({ name: 'test', baseURL })('m')

async function ask(model: LanguageModelV4): Promise<ModelEvent[]> {
  const events: ModelEvent[] = []
  const message = { role: 'user', content: [{ type: 'text', text: 'Hi.' }] } as const
  const tool = { name: 'read', summary: 'Reads.', inputSchema: { type: 'object', properties: {} } }
  const request = { messages: [message], tools: [tool], instructions: 'Be brief.' }
  const signal = new AbortController().signal
  for await (const event of createAiSdkModel(model, {})(request, signal)) events.push(event)
  return events
}

const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`
const delta = (given: object, finish: string | null = null): string =>
  data({ id: 'x', choices: [{ index: 0, delta: given, finish_reason: finish }] })

test('text is streamed, and the message at the end holds it with its calls', async () => {
  const { url, bodies } = await serve({
    lines: [
      delta({ role: 'assistant', content: 'One ' }),
      delta({ content: 'moment.' }),
      delta({
        tool_calls: [{ index: 0, id: 'call_9', function: { name: 'read', arguments: '{"path":' } }],
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
        calls: [{ id: 'call_9', name: 'read', arguments: { path: 'a' } }],
      },
      usage: { inputTokens: 5, outputTokens: 7 },
    },
  ])
  expect(bodies[0]).toMatchObject({
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hi.' },
    ],
    tools: [{ function: { name: 'read', description: 'Reads.' } }],
  })
})

test('a thought is kept with what its provider signed', async () => {
  const event = (type: string, more: object): string => `event: ${type}\n${data({ type, ...more })}`
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

test.for([
  [429, 'unavailable'],
  [500, 'unavailable'],
  [401, 'refused'],
  [400, 'refused'],
] as const)('HTTP %s is %s, in the words of the provider', async ([status, code]) => {
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

test('an answer that breaks off is no answer, and may be asked for again', async () => {
  const { url } = await serve({ lines: [delta({ content: 'Half' })], breaks: true })
  await expect(ask(compatible(url))).rejects.toMatchObject({ code: 'unavailable' })
})

test('nobody there is said, and may be asked again', async () => {
  const { url } = await serve({ lines: [] })
  await new Promise((done) => server.close(done))
  await expect(ask(compatible(url))).rejects.toMatchObject({ code: 'unavailable' })
})
