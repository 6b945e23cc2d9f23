import { setTimeout as pause } from 'node:timers/promises'
import { type JsonObject, type ToolDefinition, isJsonObject } from '@toolblocks/protocol'
import { expect, test, vi } from 'vitest'
import type { McpServer, ServerHooks } from '../client/mcp-server.ts'
import type { ServedFeatures } from '../server/served-features.ts'
import type { RunningHttpService } from '../serve-http.ts'
import { postCall } from '../testing/post-call.support.ts'
import {
  getServerConfig,
  bearer,
  type Execute,
  serve,
  text,
  tool,
} from '../testing/served.support.ts'
import { serveGateway } from '../testing/served-gateway.support.ts'
import { connect } from '../testing/servers.support.ts'
import type { Reply } from '../wire/peer.ts'
import { createGateway } from './create-gateway.ts'

const LONG: ToolDefinition = Object.assign(tool(), { execution: { taskSupport: 'required' } })
const never = (): AbortSignal => new AbortController().signal

/** Ends when it is cancelled. */
const waits: Execute = async (_call, { signal }) => {
  await pause(60_000, undefined, { signal }).catch(() => undefined)
  return text('late')
}

/** Serves one server of this version through a gateway. Its only tool runs this. `behind`: the connection that clients share. */
async function serveBehind(
  execute: Execute,
  protocolVersion: '2025-11-25' | '2026-07-28',
  {
    hooks = {},
    features,
    own = 'own',
  }: { hooks?: ServerHooks; features?: ServedFeatures; own?: 'own' | 'shared' } = {},
): Promise<{ front: RunningHttpService; behind: McpServer | undefined }> {
  const upstream = await serve(execute, {
    definitions: () => [LONG],
    ...(features && { features }),
  })
  const config = { ...getServerConfig(upstream), protocolVersion, toolNames: 'own' } as const
  const { served, shared } = await serveGateway([config], { hooks, own })
  return { front: served, behind: shared[0] }
}

/** Sends requests of a session of this version, by hand. */
async function openSession(
  served: RunningHttpService,
  protocolVersion: string,
): Promise<(method: string, params: JsonObject) => Promise<unknown>> {
  const post = async (message: JsonObject, more: Record<string, string> = {}): Promise<Response> =>
    await fetch(served.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...bearer(served),
        ...more,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
    })
  const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'x', version: '1' } }
  const initialized = await post({ method: 'initialize', params })
  await initialized.text()
  const session = { 'mcp-session-id': initialized.headers.get('mcp-session-id') ?? '' }
  return async (method, methodParams) => {
    const answered = await (await post({ method, params: methodParams }, session)).text()
    const answer: unknown = JSON.parse(
      /^data: (?<json>.*)$/m.exec(answered)?.groups?.['json'] ?? '',
    )
    return answer
  }
}

function getTaskId(reply: Reply): string {
  const result = reply.kind === 'result' && isJsonObject(reply.result) ? reply.result : {}
  const { task } = result
  return isJsonObject(task) ? String(task['taskId']) : ''
}

test('no client reaches the tasks that the gateway has at a server', async () => {
  const { front, behind } = await serveBehind(waits, '2025-11-25', { own: 'shared' })
  const one = await connect({ ...getServerConfig(front), protocolVersion: '2025-11-25' })
  const call = { name: 'tool', arguments: {}, task: {} }
  expect(getTaskId(await one.request('tools/call', call, { signal: never() }))).not.toBe('')
  const listed = async (): Promise<Reply | undefined> =>
    await behind?.request('tasks/list', {}, { signal: never() })
  await vi.waitFor(async () => {
    expect(await listed()).toMatchObject({ result: { tasks: [{ status: 'working' }] } })
  })
  const other = await openSession(front, '2025-06-18')
  expect(await other('tasks/list', {})).toMatchObject({ error: { code: -32_601 } })
})

test('no client initializes a server again, or opens a stream of its own', async () => {
  const sent: unknown[] = []
  const onMessage: ServerHooks['onMessage'] = ({ direction, message }) => {
    if (direction === 'sent') sent.push(message['method'])
  }
  const { front } = await serveBehind(waits, '2025-11-25', {
    hooks: { onMessage },
    own: 'shared',
  })
  const headers = { 'mcp-method': 'initialize', 'mcp-name': '' }
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {} }
  expect(await postCall(front, params, { method: 'initialize', headers })).toMatchObject({
    error: { code: -32_601 },
  })
  const session = await openSession(front, '2025-11-25')
  for (const method of ['server/discover', 'subscriptions/listen'])
    expect(await session(method, { notifications: {} })).toMatchObject({ error: { code: -32_601 } })
  expect(sent.filter((method) => method === 'initialize')).toHaveLength(1)
  expect(sent).not.toContain('subscriptions/listen')
})

test('what a server says of its tasks reaches no client', async () => {
  const heard: string[] = []
  const statuses: unknown[] = []
  const { front } = await serveBehind(async () => text('done'), '2025-11-25', {
    hooks: {
      onMessage: ({ message: { method, params } }) => {
        if (method === 'notifications/tasks/status') statuses.push(params)
      },
    },
  })
  await connect(
    { ...getServerConfig(front), protocolVersion: '2025-11-25' },
    { onNotification: (method) => void heard.push(method) },
  )
  const one = await connect({ ...getServerConfig(front), protocolVersion: '2025-11-25' })
  const call = { name: 'tool', arguments: {} }
  expect(await one.request('tools/call', call, { signal: never() })).toMatchObject({
    kind: 'result',
  })
  await vi.waitFor(() => expect(statuses.length).toBeGreaterThan(0))
  await pause(200)
  expect(heard).toEqual([])
})

test.for(['2025-11-25', '2026-07-28'] as const)(
  'a session sets the log level of a server of MCP %s',
  async (protocolVersion) => {
    const levels: unknown[] = []
    const upstream: ServedFeatures = {
      capabilities: () => ({ logging: {} }),
      answer: async ({ params }) => {
        levels.push(params['level'])
        return {}
      },
      watch: () => () => undefined,
    }
    const { front } = await serveBehind(async () => text('done'), protocolVersion, {
      features: upstream,
    })
    const client = await connect({ ...getServerConfig(front), protocolVersion: '2025-11-25' })
    const set = await client.request('logging/setLevel', { level: 'debug' }, { signal: never() })
    expect(set).toEqual({ kind: 'result', result: {} })
    await client.request('tools/call', { name: 'tool', arguments: {} }, { signal: never() })
    expect(levels).toContain('debug')
  },
)

test('a connection that clients share ends the subscription of a resource with its last client, and leaves those of others', async () => {
  const asked: unknown[] = []
  const served = await serve(async () => text(''), {
    features: {
      capabilities: () => ({ resources: { subscribe: true } }),
      answer: async ({ method, params }) => {
        asked.push([method, params['uri']])
        return {}
      },
      watch: () => () => undefined,
    },
  })
  const server = await connect(
    { ...getServerConfig(served), protocolVersion: '2025-11-25' },
    { isShared: true },
  )
  const ask = async (method: string, uri: string): Promise<Reply> =>
    await server.request(`resources/${method}`, { uri }, { signal: never() })
  for (const uri of ['note:a', 'note:a', 'note:b']) await ask('subscribe', uri)
  asked.length = 0
  for (const uri of ['note:a', 'note:b', 'note:a'])
    expect(await ask('unsubscribe', uri)).toMatchObject({ kind: 'result' })
  expect(asked).toEqual([
    ['resources/unsubscribe', 'note:b'],
    ['resources/unsubscribe', 'note:a'],
  ])
})

/** A server that has subscriptions, and takes its time. `methods` are the requests about them, in their order. */
function createSubscribable(): ServedFeatures & { methods: string[] } {
  const methods: string[] = []
  return {
    methods,
    capabilities: () => ({ resources: { subscribe: true } }),
    answer: async ({ method }) => {
      methods.push(method)
      await pause(300)
      return {}
    },
    watch: () => () => undefined,
  }
}
const NOTE = { uri: 'note:a' }

test('a client that goes while it subscribes takes nothing from another one, and leaves nothing behind', async () => {
  const upstream = createSubscribable()
  const { front } = await serveBehind(waits, '2025-11-25', { features: upstream, own: 'shared' })
  const [one, other] = await Promise.all(
    ['a', 'b'].map(
      async () => await connect({ ...getServerConfig(front), protocolVersion: '2025-11-25' }),
    ),
  )
  const first = one?.request('resources/subscribe', NOTE, { signal: never() })
  await vi.waitFor(() => expect(upstream.methods).toEqual(['resources/subscribe']))
  const second = other?.request('resources/subscribe', NOTE, { signal: never() })
  await pause(100)
  await one?.close()
  expect(await first).toMatchObject({ kind: 'loss' })
  expect(await second).toEqual({ kind: 'result', result: {} })
  expect(upstream.methods).toEqual(['resources/subscribe', 'resources/subscribe'])
  await other?.close()
  await vi.waitFor(() => expect(upstream.methods.at(-1)).toBe('resources/unsubscribe'))
})

test('a stream for many resources is acknowledged after one answer of the server', async () => {
  const upstream = createSubscribable()
  const { front } = await serveBehind(waits, '2025-11-25', { features: upstream, own: 'shared' })
  const acknowledged: unknown[] = []
  const later = await connect(
    { ...getServerConfig(front), protocolVersion: '2026-07-28' },
    { onNotification: (_method, { notifications }) => void acknowledged.push(notifications) },
  )
  const uris = Array.from({ length: 30 }, (_, index) => `note:${index}`)
  const stopping = new AbortController()
  const notifications = { resourceSubscriptions: uris }
  const listening = later.request('subscriptions/listen', { notifications }, stopping)
  // One after the other would take 9 seconds.
  await vi.waitFor(() => expect(acknowledged).toContainEqual(notifications), { timeout: 3000 })
  stopping.abort()
  await listening
})

test('a session has at most 1000 subscriptions', async () => {
  const front = await serve(waits, {
    features: {
      capabilities: () => ({ resources: { subscribe: true } }),
      answer: async () => ({}),
      watch: () => () => undefined,
    },
  })
  const session = await connect({ ...getServerConfig(front), protocolVersion: '2025-11-25' })
  const subscribe = async (index: number): Promise<Reply> =>
    await session.request('resources/subscribe', { uri: `page:${index}` }, { signal: never() })
  const made: Reply[] = []
  for (let index = 0; index < 1000; index += 100) {
    const hundred = Array.from({ length: 100 }, async (_, more) => await subscribe(index + more))
    made.push(...(await Promise.all(hundred)))
  }
  expect(made.every(({ kind }) => kind === 'result')).toBe(true)
  expect(await session.request('resources/subscribe', NOTE, { signal: never() })).toMatchObject({
    kind: 'error',
    message: 'The maximum of 1000 subscriptions is reached.',
  })
})

test('a task of a server is followed by a client whose call is a task, or can become one', async () => {
  const followed: unknown[] = []
  const gateway = createGateway({ capabilities: {} })
  const served = await serve(
    gateway.during(async (call) => {
      followed.push(gateway.createHooks('s').onTask?.(call))
      return text('done')
    }),
    { definitions: () => [LONG] },
  )
  const session = await connect({ ...getServerConfig(served), protocolVersion: '2025-11-25' })
  const stateless = await connect({ ...getServerConfig(served), protocolVersion: '2026-07-28' })
  const params = { name: 'tool', arguments: {} }
  await session.request('tools/call', { ...params, task: {} }, { signal: never() })
  await session.request('tools/call', params, { signal: never() })
  await stateless.request('tools/call', params, { signal: never() })
  await postCall(served, { arguments: {} })
  expect(followed).toEqual([true, false, true, false])
})
