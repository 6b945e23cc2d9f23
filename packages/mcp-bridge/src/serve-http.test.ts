import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { createConnection } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { describe, expect, test, vi } from 'vitest'
import { getServerConfig, bearer, serve, text } from './testing/served.support.ts'
import { call, connect, firstText } from './testing/servers.support.ts'
import type { RunningHttpService } from './serve-http.ts'

/** Returns the status of a request that was written by hand. */
async function getStatus(
  served: RunningHttpService,
  headers: Record<string, string>,
  body: string | Buffer = '{}',
  method = 'POST',
): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
  const sent = httpRequest(
    served.url,
    {
      method,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...bearer(served),
        ...headers,
      },
    },
    (response) => {
      response.resume()
      resolve(response.statusCode)
    },
  )
  sent.once('error', reject)
  sent.end(method === 'POST' ? body : undefined)
  return await promise
}

/** Opens connections in another thread, and counts those that the system has accepted. */
const CONNECTING = `
const { connect } = require('node:net')
const { parentPort, workerData: { port, connected, count } } = require('node:worker_threads')
parentPort.on('message', () => {
  for (let index = 0; index < count; index += 1)
    connect(port, '127.0.0.1', () => {
      Atomics.add(connected, 0, 1)
      Atomics.notify(connected, 0)
    }).on('error', () => undefined)
})
parentPort.postMessage('ready')
`

const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'x', version: '1' },
  },
})

/** Sends a request of a client with sessions. */
async function send(
  served: RunningHttpService,
  body: string = initialize,
  headers: Record<string, string> = {},
): Promise<Response> {
  const accept = 'application/json, text/event-stream'
  return await fetch(served.url, {
    method: 'POST',
    headers: { ...bearer(served), accept, 'content-type': 'application/json', ...headers },
    body,
  })
}

describe('over HTTP', () => {
  test.for<[string, Record<string, string>, number]>([
    ['its own address', {}, 200],
    ['a page of its own origin', { origin: 'http://localhost:PORT', host: 'localhost:PORT' }, 200],
    ['a name that leads here', { host: 'evil.example:PORT' }, 403],
    ['a page of another origin', { origin: 'https://evil.example' }, 403],
    ['a page of another port', { origin: 'http://localhost:1' }, 403],
    ['a page of this port under another scheme', { origin: 'https://localhost:PORT' }, 403],
    ['a page of no port', { origin: 'http://localhost' }, 403],
    ['a name that was allowed', { host: 'box.example:PORT' }, 200],
    ['a page of a name that was allowed', { origin: 'http://box.example:PORT' }, 200],
    ['a page of that name under another scheme', { origin: 'https://box.example:PORT' }, 403],
    ['a page of an allowed address', { origin: 'https://tools.example' }, 200],
    ['the name of an allowed address', { host: 'tools.example' }, 200],
    ['a page of its other scheme', { origin: 'http://tools.example' }, 403],
    ['a page of its other port', { origin: 'https://tools.example:8443' }, 403],
    ['a page without an origin', { origin: 'null' }, 403],
  ])('a request through %s has the status %s', async ([, headers, status]) => {
    const allowedHosts = ['Box.example', 'https://tools.example']
    const served = await serve(async () => text(''), {}, { allowedHosts })
    const { port } = new URL(served.url)
    const own = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace('PORT', port)]),
    )
    expect(await getStatus(served, own, initialize)).toBe(status)
  })

  test('every client needs a token: a random one, or the one that is set', async () => {
    const served = await serve(async () => text('in'), {}, { token: 'abc' })
    expect(served.token).toBe('abc')
    for (const authorization of ['', 'abc', 'Bearer abd', 'Basic abc', 'Bearer abc '.repeat(2)])
      expect(await getStatus(served, { authorization }, initialize), authorization).toBe(401)
    const wrong = getServerConfig(served, bearer({ token: 'abd' }))
    await expect(connect(wrong)).rejects.toMatchObject({ code: 'unauthorized' })
    expect(firstText(await call(await connect(getServerConfig(served)), 'tool'))).toBe('in')
    const own = await serve(async () => text('in'))
    expect(own.token).toMatch(/^[\w-]{43}$/)
    expect(await getStatus(own, bearer(served), initialize)).toBe(401)
    expect(firstText(await call(await connect(getServerConfig(own)), 'tool'))).toBe('in')
  })

  test('a request whose id has no answer yet is refused at once, and the earlier one is answered', async () => {
    const { promise: go, resolve: proceed } = Promise.withResolvers<void>()
    let calls = 0
    const served = await serve(async () => {
      calls += 1
      await go
      return text('the first')
    })
    const post = async (body: unknown, session = ''): Promise<Response> =>
      await fetch(served.url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...bearer(served),
          ...(session !== '' && { 'mcp-session-id': session }),
        },
        body: JSON.stringify(body),
      })
    const session = (await post(JSON.parse(initialize))).headers.get('mcp-session-id') ?? ''
    const message = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'tool' } }
    const first = await post(message, session)
    const second = await post(message, session)
    expect(second.status).toBe(400)
    expect(await second.json()).toMatchObject({
      error: { code: -32_600, message: expect.stringContaining('The request id 7 is in use') },
    })
    proceed()
    expect(await first.text()).toContain('the first')
    expect(calls).toBe(1)
    const other = await post({ ...message, id: '7' }, session)
    expect(await other.text()).toContain('the first')
    expect(await (await post(message, session)).text()).toContain('the first')
  })

  test('a request that is too large, not JSON, not initialized, of an unknown session or for another path is refused', async () => {
    const served = await serve(async () => text(''), {}, { maxBodyBytes: 1000 })
    expect(await getStatus(served, {}, Buffer.alloc(2000, 'x'))).toBe(413)
    expect(await getStatus(served, {}, 'no')).toBe(400)
    expect(await getStatus(served, {}, '{"jsonrpc":"2.0","id":1,"method":"tools/list"}')).toBe(400)
    expect(await getStatus(served, { 'mcp-session-id': 'x' }, initialize)).toBe(404)
    expect(await getStatus(served, {}, '', 'GET')).toBe(400)
    expect(
      await getStatus({ ...served, url: served.url.replace('/mcp', '/') }, {}, initialize),
    ).toBe(404)
  })

  test('a body in chunks of any size is read up to its limit and not without end', async () => {
    const served = await serve(async () => text(''), {}, { maxBodyBytes: 10_000 })
    const { promise: ended, resolve: end } = Promise.withResolvers<number>()
    let written = 0
    const { promise: answered, resolve: answer } = Promise.withResolvers<number | undefined>()
    const headers = { authorization: `Bearer ${served.token}` }
    const sent = httpRequest(served.url, { method: 'POST', headers }, (response) => {
      response.resume()
      answer(response.statusCode)
    })
    sent.on('error', () => undefined)
    sent.on('close', () => end(written))
    const more = (): void => {
      if (sent.destroyed) return
      written += 1000
      sent.write('x'.repeat(1000), () => setImmediate(more))
    }
    more()
    expect(await Promise.race([answered, ended.then(() => 413)])).toBe(413)
    expect(await ended).toBeLessThan(10_000_000)
  })

  test('a body that is nested too deeply is refused before it is parsed', async () => {
    const served = await serve(async () => text(''))
    const deep = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":${'['.repeat(1_000_000)}`
    expect(await getStatus(served, {}, deep)).toBe(400)
    const wide = `{"a":[${'{},'.repeat(1_100_000)}0]}`
    expect(await getStatus(served, {}, wide)).toBe(400)
  })

  test('closing waits for running calls, then cancels them', async () => {
    const { promise: started, resolve: start } = Promise.withResolvers<void>()
    const { promise: go, resolve: proceed } = Promise.withResolvers<void>()
    const served = await serve(async () => {
      start()
      await go
      return text('ended well')
    })
    const result = call(await connect(getServerConfig(served)), 'tool')
    await started
    const closing = served.close()
    proceed()
    expect(firstText(await result)).toBe('ended well')
    await closing
    await served.closed
  })

  test('one client above the maximum is refused with 503, and no session ends because of it', async () => {
    const served = await serve(async () => text('x'), {}, { maxSessions: 1 })
    const first = await connect(getServerConfig(served))
    await expect(connect(getServerConfig(served))).rejects.toThrow('503')
    expect(firstText(await call(first, 'tool'))).toBe('x')
    await first.close()
    await expect
      .poll(async () => firstText(await call(await connect(getServerConfig(served)), 'tool')))
      .toBe('x')
  })

  test('a session without a request for a time is forgotten, and none with an open one', async () => {
    const over = Promise.withResolvers<void>()
    const served = await serve(
      async () => {
        await over.promise
        return text('x')
      },
      {},
      { maxSessions: 1, maxSessionIdleMs: 50 },
    )
    await (await send(served)).text()
    // Nobody uses the session, which fills this server.
    await expect.poll(async () => (await send(served)).status).toBe(200)
    const busy = await vi.waitFor(async () => await connect(getServerConfig(served)))
    const running = call(busy, 'tool')
    await pause(150)
    expect((await send(served)).status).toBe(503)
    over.resolve()
    expect(firstText(await running)).toBe('x')
  })

  test('requests on connections above the maximum get 503 and when to try again, and those without a token hold no connection', async () => {
    const served = await serve(async () => text('x'), {}, { maxConnections: 1 })
    const first = createConnection(Number(new URL(served.url).port), '127.0.0.1')
    await once(first, 'connect')
    const refused = await fetch(served.url, { headers: bearer(served) })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
    expect(refused.headers.get('connection')).toBe('close')
    const stranger = await fetch(served.url)
    expect([stranger.status, stranger.headers.get('connection')]).toEqual([401, 'close'])
    first.destroy()
    await once(first, 'close')
    await expect
      .poll(async () => (await fetch(served.url, { headers: bearer(served) })).status)
      .toBe(400)
  })

  // macOS and Windows let fewer connections wait.
  test.skipIf(process.platform !== 'linux')(
    'a thousand clients can connect while this process is busy',
    async () => {
      const served = await serve(async () => text('x'))
      const connected = new Int32Array(new SharedArrayBuffer(4))
      const clients = new Worker(CONNECTING, {
        eval: true,
        workerData: { port: Number(new URL(served.url).port), connected, count: 1000 },
      })
      await once(clients, 'message')
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
      clients.postMessage('connect')
      for (let known = 0; known < 1000; known = Atomics.load(connected, 0))
        if (Atomics.wait(connected, 0, known, 2000) === 'timed-out') break
      expect(Atomics.load(connected, 0)).toBe(1000)
      await clients.terminate()
    },
  )

  test('a client that ends its session while its call runs gets an answer to the call', async () => {
    const served = await serve(async (_call, { signal }) => {
      await pause(60_000, undefined, { signal }).catch(() => undefined)
      return text('late')
    })
    const opened = await send(served)
    await opened.text()
    const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' }
    const params = { name: 'tool', arguments: {} }
    const message = { jsonrpc: '2.0', id: 7, method: 'tools/call', params }
    const calling = await send(served, JSON.stringify(message), session)
    const headers = { ...bearer(served), ...session }
    expect((await fetch(served.url, { method: 'DELETE', headers })).status).toBe(200)
    expect(await calling.text()).toContain(
      '"id":7,"error":{"code":-32000,"message":"The session was ended',
    )
  })
})
