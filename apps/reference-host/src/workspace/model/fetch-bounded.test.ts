import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createAiSdkModel } from '@toolblocks/ai-sdk/model'
import { type AnswerBudget, fetchBounded } from './fetch-bounded.ts'

const BUDGET: AnswerBudget = {
  bytes: 400_000,
  eventBytes: 100_000,
  idleMs: 60_000,
  totalMs: 600_000,
  refusalBytes: 10_000,
}

const IMPATIENT = { ...BUDGET, idleMs: 150 }

async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  })
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
}

/** Writes the same text without end, as fast as it is read. Returns the number of bytes. */
async function writeForEver(response: ServerResponse, piece: string): Promise<number> {
  let written = 0
  while (!response.destroyed) {
    written += piece.length
    // Node.js 26 may not emit `drain` for a response; the callback of a write always runs.
    await new Promise<void>((next) => {
      response.once('close', next).write(piece, () => next())
    })
    await setImmediate()
  }
  return written
}

const PROVIDERS = {
  anthropic: createAnthropic,
  openai: createOpenAI,
  google: createGoogle,
  'openai-compatible': (settings: { baseURL: string; apiKey: string; fetch: typeof fetch }) =>
    createOpenAICompatible({ name: 'c', ...settings }),
}

/** Returns the outcome of a request to a provider. */
async function ask(
  provider: keyof typeof PROVIDERS,
  baseURL: string,
  { budget = BUDGET, apiKey = 'k' }: { budget?: AnswerBudget; apiKey?: string } = {},
): Promise<unknown> {
  const bounded: typeof fetch = async (input, init) => await fetchBounded(input, init, budget)
  const create = PROVIDERS[provider]
  const model = createAiSdkModel(create({ baseURL, apiKey, fetch: bounded })('m'), {})
  const messages = [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }] as const
  const { signal } = new AbortController()
  try {
    for await (const _ of model({ messages, tools: [] }, signal));
    return 'answered'
  } catch (error) {
    return error
  }
}

const EVENTS = { 'content-type': 'text/event-stream' }
const names = ['anthropic', 'openai', 'google', 'openai-compatible'] as const

describe.for(names)('an answer of %s', (provider) => {
  test.for([
    [
      'one line without an end',
      200,
      'x'.repeat(50_000),
      'an event in the response of the model has',
    ],
    ['one event of lines', 200, `data: ${'x'.repeat(500)}\n`, 'an event in the response of the'],
    ['events without an end', 200, ': nothing\r\n\r\n', 'the response of the model has more than'],
  ] as const)(
    '%s ends at its budget, and the connection is closed',
    async ([, status, piece, message]) => {
      const written = Promise.withResolvers<number>()
      const url = await listen((_, response) => {
        response.writeHead(status, EVENTS)
        void writeForEver(response, piece.repeat(100)).then(written.resolve)
      })
      const failed = await ask(provider, url)
      expect(failed).toMatchObject({ name: 'ModelError', code: 'refused' })
      expect(String(failed)).toContain(message)
      expect(await written.promise).toBeGreaterThan(0)
    },
  )

  test.for([
    ['before it begins', () => undefined, 'did not answer in 0.15 s'],
    [
      'in the middle',
      (response: ServerResponse) => void response.writeHead(200, EVENTS).write(':\n\n'),
      'sent nothing for 0.15 s',
    ],
  ] as const)('without data %s is unavailable', async ([, begin, message]) => {
    const url = await listen((_, response) => begin(response))
    const failed = await ask(provider, url, { budget: IMPATIENT })
    expect(failed).toMatchObject({
      name: 'ModelError',
      code: 'unavailable',
      message: `the provider ${message}`,
    })
  })

  test.for([
    [500, 'unavailable'],
    [401, 'refused'],
  ] as const)('a refusal %s with an endless reason keeps its status', async ([status, code]) => {
    const url = await listen((_, response) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      void writeForEver(response, '{"error":{"message":"'.repeat(1000))
    })
    const failed = await ask(provider, url)
    expect(failed).toMatchObject({ name: 'ModelError', code })
    expect(String(failed)).toContain(
      'the body of the error response has more than 10,000 bytes and was not read (HTTP',
    )
  })

  test('a refusal that repeats the key is shown without it', async () => {
    const apiKey = 'sk-0123456789abcdef-of-this-test'
    const url = await listen((request, response) => {
      const { headers } = request
      const key = headers['x-api-key'] ?? headers['x-goog-api-key'] ?? headers.authorization
      const message = `wrong key: ${String(key)}`
      response.writeHead(401, { 'content-type': 'application/json' })
      response.end(
        JSON.stringify({ type: 'error', error: { type: 'x', code: 401, status: 'X', message } }),
      )
    })
    const failed = await ask(provider, url, { apiKey })
    expect(failed).toMatchObject({ code: 'refused', message: expect.stringContaining('***') })
    expect(String(failed)).not.toContain(apiKey)
  })

  test('a refusal whose reason does not arrive keeps its status', async () => {
    const url = await listen((_, response) => {
      response.writeHead(401, { 'content-type': 'application/json' }).write('{"error"')
    })
    // The status must arrive in this time, even on a busy machine.
    const failed = await ask(provider, url, { budget: { ...BUDGET, idleMs: 1000 } })
    expect(failed).toMatchObject({ name: 'ModelError', code: 'refused' })
    expect(String(failed)).toContain('the provider sent nothing for 1 s (HTTP 401)')
  })
})

test('a slow reader is not a silent provider, and events with both kinds of line ends pass', async () => {
  const event = (end: string): string => `data: ${'x'.repeat(60_000)}${end}${end}`
  const body = event('\n') + event('\r\n') + event('\n')
  const url = await listen((_, response) => void response.writeHead(200, EVENTS).end(body))
  const response = await fetchBounded(url, {}, { ...BUDGET, idleMs: 1000 })
  let got = ''
  for await (const chunk of response.body ?? []) {
    if (got === '') await new Promise((next) => setTimeout(next, 1200))
    got += Buffer.from(chunk).toString()
  }
  expect(got === body).toBe(true)
})

test('an empty line is found in every split of the response', async () => {
  const lines = `data: ${'x'.repeat(90_000)}\r\n\r\n`.repeat(3)
  for (const cut of [90_006, 90_007, 90_008, 90_009, 90_010]) {
    const url = await listen((_, response) => {
      response.writeHead(200, EVENTS).write(lines.slice(0, cut))
      setTimeout(() => response.end(lines.slice(cut)), 20)
    })
    const response = await fetchBounded(url, {}, BUDGET)
    expect(await response.text()).toBe(lines)
  }
})

test('a caller that cancels ends the wait', async () => {
  const url = await listen(() => undefined)
  const reason = new Error('enough')
  await expect(fetchBounded(url, { signal: AbortSignal.abort(reason) }, BUDGET)).rejects.toBe(
    reason,
  )
})

test('a key that a provider repeats in an answer is masked, and every other byte stays', async () => {
  const odd = Buffer.from([0xff, 0xc3, 0xa9, 0x0d, 0x0a])
  const url = await listen(async (request, response) => {
    const { authorization = '' } = request.headers
    response.write(`data: {"error":{"message":"no ${authorization.slice(0, 12)}`)
    await setImmediate()
    response.write(`${authorization.slice(12)}"}}\n\n`)
    response.write(odd)
    response.end('data: [DONE]')
  })
  const headers = { authorization: 'Bearer sk-0123-the-key' }
  const response = await fetchBounded(url, { headers }, BUDGET)
  const expected = ['data: {"error":{"message":"no Bearer ***"}}\n\n', odd, 'data: [DONE]']
  expect(Buffer.from(await response.arrayBuffer())).toEqual(
    Buffer.concat(expected.map((each) => Buffer.from(each))),
  )
})
