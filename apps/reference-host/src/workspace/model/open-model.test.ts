import type { ModelEvent } from '@toolblocks/agent'
import { type RequestListener, createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { explainUnsafe, readProfile, readModelAddress } from './providers.ts'
import { openModel } from './open-model.ts'

test('each response of the scripted model says that it is a script', async () => {
  const opened = await openModel({ provider: 'scripted' }, { environment: {}, format: {} })
  if (!opened.ok) throw new Error(opened.message)
  const { signal } = new AbortController()
  for (const _ of [1, 2]) {
    const events: ModelEvent[] = []
    for await (const event of opened.model({ messages: [], tools: [] }, signal)) events.push(event)
    expect(events[0]).toMatchObject({
      type: 'text',
      text: expect.stringContaining('I am a script'),
    })
  }
})

const openai = { provider: 'openai-compatible', name: 'm', api_key_env: 'KEY' } as const

async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close())
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
}

test('a key is not sent over http to another machine; without a key the address is used', async () => {
  const model = { ...openai, base_url: 'http://gateway.example/v1' }
  expect(await openModel(model, { environment: { KEY: 'k' }, format: {} })).toEqual({
    ok: false,
    message:
      '[model]: a key is sent over https only, or over http to this machine; got "http://gateway.example/v1"',
  })
  const { api_key_env: _none, ...without } = model
  expect(await openModel(without, { environment: {}, format: {} })).toMatchObject({ ok: true })
})

test.for(['anthropic', 'openai', 'google', 'openai-compatible'] as const)(
  'the key of %s is not sent along with a redirect to another address',
  async (provider) => {
    const other: unknown[] = []
    const elsewhere = await listen((request, response) => {
      other.push(request.headers)
      response.end()
    })
    const asked: string[] = []
    const base_url = await listen((request, response) => {
      asked.push(JSON.stringify(request.headers) + (request.url ?? ''))
      response.writeHead(307, { location: elsewhere }).end()
    })
    const opened = await openModel(
      { provider, name: 'm', base_url, api_key_env: 'KEY' },
      { environment: { KEY: 'the-key' }, format: {} },
    )
    if (!opened.ok) throw new Error(opened.message)
    const messages = [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }] as const
    const answer = opened.model({ messages, tools: [] }, new AbortController().signal)
    await expect(answer[Symbol.asyncIterator]().next()).rejects.toThrow(
      'a redirect that is not followed',
    )
    expect([asked[0]?.includes('the-key'), other]).toEqual([true, []])
  },
)

test.for([
  [
    { base_url: 'http://ann:secret@127.0.0.1:1/v1' },
    'the address http://127.0.0.1:1 is base_url under [model]: correct it, or start the server that should answer there',
  ],
  [
    {},
    'the address http://127.0.0.1:1 came from ANTHROPIC_BASE_URL: correct it, or start the server that should answer there',
  ],
] as const)(
  'where nothing answers %j, the error says where the address came from',
  async ([address, message]) => {
    const opened = await openModel(
      { provider: 'anthropic', name: 'm', ...address },
      {
        environment: { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: 'http://127.0.0.1:1/env' },
        format: {},
      },
    )
    if (!opened.ok) throw new Error(opened.message)
    const messages = [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }] as const
    const answer = opened.model({ messages, tools: [] }, new AbortController().signal)
    await expect(answer[Symbol.asyncIterator]().next()).rejects.toThrow(message)
  },
)

test.for<[object, object | undefined]>([
  [
    { provider: 'anthropic' },
    { url: 'https://api.anthropic.com/v1', keyName: 'ANTHROPIC_API_KEY' },
  ],
  [
    { provider: 'openai' },
    {
      url: 'https://gateway.example',
      urlName: 'OPENAI_BASE_URL',
      keyName: 'OPENAI_API_KEY',
    },
  ],
  [
    { provider: 'openai', base_url: 'https://x.example', api_key_env: 'MY' },
    { url: 'https://x.example', keyName: 'MY' },
  ],
  [
    { provider: 'google' },
    { url: 'https://generativelanguage.googleapis.com/v1beta', keyName: 'GEMINI_API_KEY' },
  ],
  [
    { provider: 'openai-compatible', base_url: 'http://localhost:1' },
    { url: 'http://localhost:1' },
  ],
  [{ provider: 'openai-compatible' }, undefined],
  [{ provider: 'scripted' }, undefined],
  [{}, undefined],
])('requests of %j go to %j', ([model, expected]) => {
  expect(
    readModelAddress(model, { OPENAI_BASE_URL: 'https://gateway.example', ANTHROPIC_BASE_URL: '' }),
  ).toEqual(expected)
})

test.for([
  ['https://a.example', true],
  ['http://localhost:11434/v1', true],
  ['http://127.0.0.1:1', true],
  ['http://127.1.2.3', true],
  ['http://[::1]:1', true],
  ['http://a.example', false],
  ['http://127.0.0.1.evil.example', false],
  ['http://localhost.evil.example', false],
  ['http://192.168.0.1', false],
  ['http://127.0.0.1@evil.example', false],
  ['no address', false],
] as const)('a key may go to %s: %s', ([url, isSafe]) => {
  expect(explainUnsafe(url) === undefined).toBe(isSafe)
})

const KEYS = { ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k', GEMINI_API_KEY: 'k' }

test.for(['anthropic', 'openai', 'google', 'openai-compatible'] as const)(
  'the media that a model of %s accepts are known without its client',
  async (provider) => {
    const model = { provider, name: 'm', base_url: 'https://models.example/v1' }
    const opened = await openModel(model, { environment: KEYS, format: {} })
    expect(opened.ok && opened.profile).toBeDefined()
    expect(await readProfile(model)).toEqual(opened.ok && opened.profile)
  },
)

test('the media that a script or a missing model accepts are unknown', async () => {
  expect([await readProfile({ provider: 'scripted' }), await readProfile(undefined)]).toEqual([
    undefined,
    undefined,
  ])
})
