import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import type { McpServer } from './client/mcp-server.ts'
import { type Answer, type OddEndpoint, startEndpoint } from './testing/odd-endpoint.support.ts'
import { answering, call, connect, firstText, getTexts } from './testing/servers.support.ts'

async function reach(
  tools: Record<string, Answer>,
  config: { timeoutMs?: number; sse?: boolean } = {},
): Promise<{ server: McpServer; endpoint: OddEndpoint }> {
  const endpoint = await startEndpoint(tools, config)
  const { timeoutMs = 25_000 } = config
  return {
    endpoint,
    server: await connect(
      {
        name: 'web',
        transport: { kind: 'http', url: endpoint.url, headers: { 'x-key': 'k' } },
        timeoutMs,
      },
      { canAsk: true },
    ),
  }
}

const events = { 'content-type': 'text/event-stream' }
const result = (id: number, text: string) => ({ id, result: { content: [{ type: 'text', text }] } })

describe('an endpoint', () => {
  test.for([{ sse: false }, { sse: true }])(
    'can answer with JSON or with a stream: %j',
    async (options) => {
      const { server } = await reach({}, options)
      expect(firstText(await call(server, 'echo', { a: 1 }))).toBe('{"a":1}')
    },
  )

  test.for<[string, Answer, { message: string; maybeExecuted: boolean }]>([
    [
      'answers with 202',
      ({ response }) => void response.writeHead(202).end(),
      { message: '202 and no answer', maybeExecuted: true },
    ],
    [
      'ends its stream without an answer',
      ({ response }) => void response.writeHead(200, events).end(': hello\n\n'),
      { message: 'the stream ended before the answer', maybeExecuted: true },
    ],
    [
      'breaks its stream off',
      ({ response }) =>
        void response.writeHead(200, events).write(': hello\n\n', () => response.destroy()),
      { message: 'the stream of the answer broke off', maybeExecuted: true },
    ],
    [
      'breaks off before it answers',
      ({ response }) => void response.destroy(),
      { message: 'ECONNRESET: socket hang up', maybeExecuted: true },
    ],
    [
      'breaks its JSON off',
      ({ response }) =>
        void response
          .writeHead(200, { 'content-type': 'application/json', 'content-length': '99' })
          .write('{', () => response.destroy()),
      { message: 'the answer broke off', maybeExecuted: true },
    ],
    [
      'answers with HTML',
      ({ response }) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>'),
      { message: 'text/html instead of JSON', maybeExecuted: true },
    ],
    [
      'answers with other JSON',
      ({ response }) =>
        void response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}'),
      { message: 'JSON that is not an answer', maybeExecuted: true },
    ],
    [
      'answers another request',
      ({ response }) =>
        void response
          .writeHead(200, { 'content-type': 'application/json' })
          .end('{"jsonrpc":"2.0","id":4711,"result":{}}'),
      { message: 'JSON that is not an answer', maybeExecuted: true },
    ],
    [
      'answers with 500',
      ({ response }) => void response.writeHead(500).end('oops'),
      { message: 'HTTP 500. It may still have been executed.\noops', maybeExecuted: true },
    ],
    [
      'answers with 401',
      ({ response }) => void response.writeHead(401).end(),
      { message: 'HTTP 401', maybeExecuted: false },
    ],
    [
      'answers with 429',
      ({ response }) => void response.writeHead(429).end(),
      { message: 'HTTP 429', maybeExecuted: false },
    ],
    [
      'answers with an error in 400',
      ({ id, response }) =>
        void response.writeHead(400, { 'content-type': 'application/json' }).end(
          JSON.stringify({
            jsonrpc: '2.0',
            id,
            error: { code: -32602, message: 'no such tool' },
          }),
        ),
      { message: 'error -32602. It was not executed.\nno such tool', maybeExecuted: false },
    ],
    [
      'redirects elsewhere',
      ({ response }) => void response.writeHead(307, { location: 'http://example.com/mcp' }).end(),
      {
        message:
          'HTTP 307, a redirect that was not followed. It may still have been executed.\nhttp://example.com/mcp',
        maybeExecuted: true,
      },
    ],
    [
      'redirects so that the call would become another request',
      ({ response }) => void response.writeHead(303, { location: '/done' }).end(),
      { message: 'HTTP 303, a redirect that was not followed', maybeExecuted: true },
    ],
    [
      'redirects to nowhere',
      ({ response }) => void response.writeHead(302).end(),
      { message: 'HTTP 302, a redirect that was not followed', maybeExecuted: true },
    ],
    [
      'redirects in a circle',
      ({ response, request }) =>
        void response.writeHead(307, { location: request.url ?? '/' }).end(),
      { message: 'HTTP 307, a redirect that was not followed', maybeExecuted: true },
    ],
    [
      'redirects to itself and refuses then',
      ({ response, request }) =>
        request.url?.endsWith('?again') === true
          ? void response.writeHead(401).end()
          : void response.writeHead(308, { location: '?again' }).end(),
      { message: 'HTTP 401. It may still have been executed.', maybeExecuted: true },
    ],
  ])(
    'that %s gives a failure at once, and the next call works',
    async ([, odd, { message, maybeExecuted }]) => {
      const { server } = await reach({ odd })
      const failed = await call(server, 'odd')
      expect(getTexts(failed).join('\n')).toContain(message)
      expect(failed).toMatchObject({
        isError: true,
        metadata: { outcome: 'failed', maybeExecuted },
      })
      expect(firstText(await call(server, 'echo', { a: 1 }))).toBe('{"a":1}')
    },
  )

  test('whose stream cannot be resumed has lost the call, and the result comes before the timeout', async () => {
    const { server } = await reach(
      {
        primed: ({ response, say }) =>
          void response.writeHead(200, events).end(`id: 1\n${say({ method: 'notifications/x' })}`),
      },
      { timeoutMs: 25_000 },
    )
    expect(await call(server, 'primed')).toMatchObject({
      isError: true,
      metadata: { outcome: 'failed', maybeExecuted: true },
    })
  })

  test('whose stream ends early is asked for the rest after its own delay, and informed when the answer is no longer needed', async () => {
    let asked: { id: number; from?: string } = { id: 0 }
    const endpoint = await startEndpoint(
      {
        paused: ({ id, response, say }) => {
          asked = { id }
          const notification = say({ method: 'notifications/message', params: {} })
          // The id of the last event counts, also if that event has no data.
          response.writeHead(200, events).end(`retry: 10\nid: e6\n${notification}id: e7\n\n`)
        },
      },
      {
        rest: (from) => {
          asked = { ...asked, from }
          return result(asked.id, 'the rest')
        },
      },
    )
    const server = await connect({ name: 'web', transport: { kind: 'http', url: endpoint.url } })
    expect(firstText(await call(server, 'paused'))).toBe('the rest')
    expect(asked.from).toBe('e7')
    await server.close()
    const { methods } = endpoint
    expect(methods.filter((method) => method === 'GET of s1')).toHaveLength(2)
    expect(methods.at(-1)).toBe('DELETE of s1')
  })

  test('that is silent is abandoned after the active time', async () => {
    const { server } = await reach({ odd: () => undefined }, { timeoutMs: 1500 })
    expect(await call(server, 'odd')).toMatchObject({
      isError: true,
      metadata: { outcome: 'timeout', maybeExecuted: true },
    })
    expect(firstText(await call(server, 'echo'))).toBe('{}')
  })

  test('that is gone gives a failure that was not executed and may be repeated', async () => {
    const { server } = await reach({
      odd: ({ response, request }) => {
        request.socket.destroy()
        response.destroy()
      },
    })
    const gone = await connect({
      name: 'gone',
      transport: { kind: 'http', url: (await startEndpoint({})).url },
    })
    expect(firstText(await call(gone, 'echo'))).toBe('{}')
    expect(await call(server, 'odd')).toMatchObject({
      isError: true,
      _meta: { 'computer.jp/error': { transient: true } },
    })
  })

  test('can send 20 MiB', async () => {
    const text = 'x'.repeat(20 * 1024 * 1024)
    for (const sse of [true, false]) {
      const { server } = await reach({
        large: ({ id, response, say }) =>
          void (sse
            ? response.writeHead(200, events).end(say(result(id, text)))
            : response
                .writeHead(200, { 'content-type': 'application/json' })
                .end(JSON.stringify({ jsonrpc: '2.0', ...result(id, text) }))),
      })
      expect(firstText(await call(server, 'large')).length).toBe(text.length)
    }
  })

  test('that floods is cut off', async () => {
    const { server } = await reach({
      flood: ({ response }) => {
        response.writeHead(200, events)
        response.write('data: ')
        const more = (): void =>
          void (response.destroyed || response.write('x'.repeat(1024 * 1024), more))
        more()
      },
    })
    expect(firstText(await call(server, 'flood'))).toContain('more than 67108864 bytes')
    expect(firstText(await call(server, 'echo'))).toBe('{}')
  })

  test.for<[string, string, string]>([
    [
      'floods with lines of one event',
      `data: ${'x'.repeat(1000)}\n`.repeat(1000),
      'more than 67108864 bytes',
    ],
    [
      'nests without a ground',
      `data: {"id":ID,"result":{"a":${'['.repeat(3_000_000)}`,
      'has more than 1000000 values or 64 levels',
    ],
    [
      'answers with millions of values',
      `data: {"jsonrpc":"2.0","id":ID,"result":{"a":[${'{},'.repeat(1_100_000)}0]}}\n\n`,
      'has more than 1000000 values or 64 levels',
    ],
  ])('that %s is cut off, and the next call works', async ([what, piece, message]) => {
    const { server } = await reach({
      flood: ({ response, id }) => {
        response.writeHead(200, events)
        if (!what.startsWith('floods'))
          return void response.end(`${piece.replace('ID', String(id))}\n\n`)
        const more = (): void => void (response.destroyed || response.write(piece, more))
        more()
      },
    })
    expect(firstText(await call(server, 'flood'))).toContain(message)
    expect(firstText(await call(server, 'echo'))).toBe('{}')
  })

  test('receives the configured headers with every request', async () => {
    const keys: unknown[] = []
    const { server } = await reach({
      seen: ({ id, request, response, say }) => {
        keys.push(request.headers['x-key'])
        response.writeHead(200, events).end(say(result(id, '')))
      },
    })
    await call(server, 'seen')
    expect(keys).toEqual(['k'])
  })
})

test('a question on the stream of a call belongs to that call, also beside others', async () => {
  const open = new Map<string, () => void>()
  const { server } = await reach({
    quiet: async ({ id, response, say }) => {
      await new Promise<void>((resolve) => open.set('quiet', resolve))
      response.writeHead(200, events).end(say(result(id, 'quiet')))
    },
    asks: ({ id, response, say }) => {
      response.writeHead(200, events).write(
        say({
          id: 'q1',
          method: 'elicitation/create',
          params: { message: '?', requestedSchema: { type: 'object', properties: {} } },
        }),
      )
      open.set('asks', () => void response.end(say(result(id, 'asked'))))
    },
  })
  const quiet = answering(() => ({ action: 'decline' }))
  const asks = answering(() => ({ action: 'decline' }))
  const calls = [
    call(server, 'quiet', {}, quiet),
    call(
      server,
      'asks',
      {},
      {
        ask: async (request, context) => {
          const answer = await asks.ask(request, context)
          open.get('asks')?.()
          open.get('quiet')?.()
          return answer
        },
      },
    ),
  ]
  await Promise.all(calls)
  expect([quiet.asked.length, asks.asked.length]).toEqual([0, 1])
  expect(asks.asked[0]?.context.source).toMatchObject({ call: { name: 'web__asks' } })
})

test('an address without a server cannot be connected', async () => {
  const nobody = createServer()
  await once(nobody.listen(0, '127.0.0.1'), 'listening')
  const { port } = nobody.address() as AddressInfo
  await once(nobody.close(), 'close')
  const connecting = connect({
    name: 'x',
    transport: { kind: 'http', url: `http://127.0.0.1:${port}/mcp` },
  })
  await expect(connecting).rejects.toMatchObject({
    code: 'unreachable',
    message: expect.stringContaining('ECONNREFUSED'),
  })
})
