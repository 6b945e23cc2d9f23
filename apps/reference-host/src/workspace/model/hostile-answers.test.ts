import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { type Model, ModelError } from '@toolblocks/agent'
import {
  type Answer,
  ANSWERS,
  startRawServer,
} from '../../../../../packages/mcp-bridge/src/testing/raw-server.support.ts'
import { watchProcess } from '../../../../../packages/mcp-bridge/src/testing/watch-process.support.ts'
import { openModel } from './open-model.ts'

const PROVIDERS = ['anthropic', 'openai', 'google', 'openai-compatible'] as const

async function open(provider: (typeof PROVIDERS)[number], origin: string): Promise<Model> {
  const opened = await openModel(
    { provider, name: 'm', base_url: origin, api_key_env: 'KEY' },
    { environment: { KEY: 'k' }, format: {} },
  )
  expect.assert(opened.ok)
  return opened.model
}

/** Asks a model for one answer. Returns what came of it. */
async function ask(model: Model): Promise<unknown> {
  const messages = [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }] as const
  try {
    for await (const _ of model({ messages, tools: [] }, new AbortController().signal));
    return 'answered'
  } catch (error) {
    return error instanceof ModelError ? 'refused' : error
  }
}

/** Starts a provider that answers as it should. */
async function startHealthy(): Promise<string> {
  const events = [
    { id: 'x', choices: [{ index: 0, delta: { content: 'well' }, finish_reason: null }] },
    { id: 'x', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
  ]
  const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
  const server = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`${body}data: [DONE]\n\n`),
  )
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test.for(PROVIDERS)(
  'every answer of %s ends the request with an error for a person, and requests to other providers go on',
  async (provider) => {
    const outside = watchProcess()
    const healthy = await startHealthy()
    let answer: Answer = () => undefined
    const { origin } = await startRawServer((socket) => answer(socket))
    const model = await open(provider, origin)
    const ends = new Set<unknown>()
    for (const [, each] of ANSWERS) {
      answer = each
      ends.add(await ask(model))
    }
    // An empty answer with a status of success.
    ends.delete('answered')
    expect([...ends]).toEqual(['refused'])
    expect(await ask(await open('openai-compatible', healthy))).toBe('answered')
    expect(outside()).toEqual([])
  },
)
