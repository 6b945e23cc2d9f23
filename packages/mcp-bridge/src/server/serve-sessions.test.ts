import type { CallContext } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { bearer, serve, text, tool } from '../testing/served.support.ts'
import type { ServedClient } from './served-features.ts'
import type { RunningHttpService } from '../serve-http.ts'

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 'initialize',
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'x', version: '1' },
  },
}
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
const PING = { jsonrpc: '2.0', id: 2, method: 'ping' }
const INITIALIZED = { jsonrpc: '2.0', method: 'notifications/initialized' }

interface Sent {
  method?: string
  headers?: Record<string, string>
  body?: unknown
}

async function send(
  served: RunningHttpService,
  { method = 'POST', headers = {}, body }: Sent,
): Promise<Response> {
  const own = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...bearer(served),
  }
  const content = body === undefined ? {} : { body: JSON.stringify(body) }
  return await fetch(served.url, { method, headers: { ...own, ...headers }, ...content })
}

/** Serves a tool, and returns the header of a session with it. */
async function openSession(
  ...parameters: Parameters<typeof serve>
): Promise<{ served: RunningHttpService; session: Record<string, string> }> {
  const served = await serve(...parameters)
  const initialized = await send(served, { body: INITIALIZE })
  expect(await initialized.text()).toContain('"protocolVersion":"2025-11-25"')
  return { served, session: { 'mcp-session-id': initialized.headers.get('mcp-session-id') ?? '' } }
}

test('a session is connected while a request or a stream of it is open', async () => {
  const clients: ServedClient[] = []
  const { served, session } = await openSession(async (_call, _context, client) => {
    clients.push(client)
    return text(String(client.isConnected?.()))
  })
  const params = { name: 'tool', arguments: {} }
  const call = { jsonrpc: '2.0', id: 5, method: 'tools/call', params }
  const called = await send(served, { headers: session, body: call })
  expect(await called.text()).toContain('true')
  const isConnected = (): boolean | undefined => clients[0]?.isConnected?.()
  await expect.poll(isConnected).toBe(false)
  const cut = new AbortController()
  const headers = { ...bearer(served), ...session, accept: 'text/event-stream' }
  await fetch(served.url, { headers, signal: cut.signal })
  expect(isConnected()).toBe(true)
  cut.abort()
  await expect.poll(isConnected).toBe(false)
})

/** Returns the messages of a stream of events so far. */
function messagesIn(events: string): unknown[] {
  return [...events.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data) as unknown)
}

test.for<[string, Sent, number, string]>([
  ['takes no stream', { body: LIST, headers: { accept: 'application/json' } }, 406, 'accept both'],
  ['takes no JSON', { body: LIST, headers: { accept: 'text/event-stream' } }, 406, 'accept both'],
  ['has another type', { body: LIST, headers: { 'content-type': 'text/plain' } }, 415, 'must be'],
  ['is of no version', { body: LIST, headers: { 'mcp-protocol-version': '1' } }, 400, '2024-10-07'],
  ['has 101 messages', { body: Array.from({ length: 101 }, () => INITIALIZED) }, 400, '100'],
  ['has one id twice', { body: [LIST, LIST] }, 400, 'The request id 1 is in use'],
  ['initializes again', { body: INITIALIZE }, 400, 'already initialized'],
  ['is no JSON-RPC 2.0', { body: { ...LIST, jsonrpc: '1.0' } }, 400, 'Invalid JSON-RPC'],
  ['has no id to answer', { body: { ...LIST, id: null } }, 400, 'Invalid JSON-RPC'],
  ['has an id that counts half', { body: { ...LIST, id: 1.5 } }, 400, 'Invalid JSON-RPC'],
  ['has an unknown field', { body: { ...LIST, other: 1 } }, 400, 'Invalid JSON-RPC'],
  ['is an answer too', { body: { ...LIST, result: {} } }, 400, 'Invalid JSON-RPC'],
  ['has odd params', { body: { ...LIST, params: [] } }, 400, 'Invalid JSON-RPC'],
  ['has an odd method', { body: { ...LIST, method: 5 } }, 400, 'Invalid JSON-RPC'],
  ['is no message', { body: [LIST, {}] }, 400, 'Invalid JSON-RPC'],
  ['is an odd answer', { body: { jsonrpc: '2.0', id: 1, result: 5 } }, 400, 'Invalid JSON-RPC'],
  ['is an odd error', { body: { jsonrpc: '2.0', id: 1, error: {} } }, 400, 'Invalid JSON-RPC'],
  ['hears no stream', { method: 'GET', headers: { accept: 'text/html' } }, 406, 'event-stream'],
  ['ends another version', { method: 'DELETE', headers: { 'mcp-protocol-version': '1' } }, 400, ''],
  ['has another method', { method: 'PUT' }, 405, 'Method not allowed'],
])('a request that %s is refused, and the session continues', async ([, sent, status, why]) => {
  const { served, session } = await openSession(async () => text(''))
  const refused = await send(served, { ...sent, headers: { ...session, ...sent.headers } })
  expect(refused.status).toBe(status)
  expect(refused.headers.get('allow')).toBe(status === 405 ? 'GET, POST, DELETE' : null)
  expect(await refused.json()).toMatchObject({
    jsonrpc: '2.0',
    id: null,
    error: { message: expect.stringContaining(why) },
  })
  const list = await send(served, { body: LIST, headers: session })
  expect(messagesIn(await list.text())).toMatchObject([{ id: 1, result: { tools: [tool()] } }])
})

test.for<[string, unknown]>([
  ['comes with another request', [INITIALIZE, LIST]],
  [
    'says no version',
    { ...INITIALIZE, params: { ...INITIALIZE.params, protocolVersion: undefined } },
  ],
  [
    'says nothing of the client',
    { ...INITIALIZE, params: { ...INITIALIZE.params, clientInfo: {} } },
  ],
])('an initialize request that %s opens no session', async ([, body]) => {
  const refused = await send(await serve(async () => text('')), { body })
  expect(refused.status).toBe(400)
  expect(refused.headers.get('mcp-session-id')).toBeNull()
})

test('messages in a list are answered on one stream, which ends after the last answer', async () => {
  const { served, session } = await openSession(async () => text(''))
  const answered = await send(served, { body: [LIST, INITIALIZED, PING], headers: session })
  const answers = messagesIn(await answered.text())
  expect(answers).toHaveLength(2)
  expect(answers).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ id: 1 }),
      { jsonrpc: '2.0', id: 2, result: {} },
    ]),
  )
  const noted = await send(served, { body: [INITIALIZED, INITIALIZED], headers: session })
  expect([noted.status, await noted.text()]).toEqual([202, ''])
})

test('changes of the tools are sent on the one stream that a client opens for them, until it ends the session', async () => {
  let change = (): void => undefined
  const { served, session } = await openSession(async () => text(''), {
    onDefinitionsChanged: (changed) => {
      change = changed
      return () => undefined
    },
  })
  change()
  const stream = await send(served, { method: 'GET', headers: session })
  expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
  expect((await send(served, { method: 'GET', headers: session })).status).toBe(409)
  change()
  const ended = await send(served, { method: 'DELETE', headers: session })
  expect([ended.status, await ended.text()]).toEqual([200, ''])
  change()
  expect(messagesIn(await stream.text())).toEqual([
    { jsonrpc: '2.0', method: 'notifications/tools/list_changed', params: {} },
  ])
  expect((await send(served, { body: LIST, headers: session })).status).toBe(404)
})

test('a stream for changes that a client has left can be opened again', async () => {
  const { served, session } = await openSession(async () => text(''))
  const first = await send(served, { method: 'GET', headers: session })
  await first.body?.cancel()
  await expect
    .poll(async () => {
      const again = await send(served, { method: 'GET', headers: session })
      await again.body?.cancel()
      return again.status
    })
    .toBe(200)
})

const META = 'io.modelcontextprotocol'
const STATELESS = {
  [`${META}/protocolVersion`]: '2026-07-28',
  [`${META}/clientInfo`]: { name: 'x', version: '1' },
  [`${META}/clientCapabilities`]: {},
}
const STATELESS_HEADERS = {
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 'tool',
}

test.for<[string, object, Record<string, string>]>([
  ['2025-11-25', {}, {}],
  ['2026-07-28', STATELESS, STATELESS_HEADERS],
])('progress after a result is dropped (%s)', async ([, envelope, headers]) => {
  let report: CallContext['onProgress']
  const { served, session } = await openSession(async (_call, { onProgress }) => {
    report = onProgress
    onProgress?.({ progress: 1 })
    return text('over')
  })
  const params = { name: 'tool', _meta: { progressToken: 'p', ...envelope } }
  const called = await send(served, {
    body: { jsonrpc: '2.0', id: 3, method: 'tools/call', params },
    headers: 'mcp-method' in headers ? headers : session,
  })
  expect(messagesIn(await called.text())).toMatchObject([
    { method: 'notifications/progress' },
    { id: 3, result: { content: [{ text: 'over' }] } },
  ])
  report?.({ progress: 2 })
  const list = await send(served, { body: LIST, headers: session })
  expect(messagesIn(await list.text())).toMatchObject([{ id: 1 }])
})
