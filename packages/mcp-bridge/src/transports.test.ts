import {
  Client as ClientV2,
  InMemoryTransport as InMemoryV2,
  StreamableHTTPClientTransport as HttpV2,
} from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { Server as ServerV2 } from '@modelcontextprotocol/server'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { McpServer, ServerHooks } from './client/mcp-server.ts'
import type { ServerConfig } from './client/server-config.ts'
import { connectServer } from './connect-server.ts'
import { serveTransport } from './serve-transport.ts'
import type { ServeCall } from './server/tool-service.ts'
import { bearer, serve, text, tool } from './testing/served.support.ts'
import { answering, call, firstText } from './testing/servers.support.ts'
import type { MessageTransport } from './wire/transport.ts'

const VERSIONS = ['2025-11-25', '2026-07-28'] as const

const idle = async (): Promise<void> => undefined
const never = async (): Promise<never> => await new Promise<never>(() => undefined)

/** Serves one tool on a transport until the test ends. */
async function serveOn(transport: MessageTransport, callTool: ServeCall): Promise<void> {
  const definitions = () => [tool()]
  const service = { name: 'ours', version: '1', root: '/w', definitions, callTool }
  const served = await serveTransport(service, transport)
  onTestFinished(async () => await served.close({ graceMs: 0 }))
}

async function connect(
  transport: MessageTransport | (() => MessageTransport),
  config: Partial<ServerConfig> = {},
  hooks: ServerHooks = {},
): Promise<McpServer> {
  const server = await connectServer({ ...config, name: 'near', transport }, hooks)
  onTestFinished(async () => await server.close())
  return server
}

/** Makes a server of the SDK whose tools are `echo`, `ask` and `slow`, on one end of a pair. */
async function startSdkServer(mark = ''): Promise<{ near: InMemoryTransport; server: Server }> {
  const server = new Server({ name: 'far', version: '1' }, { capabilities: { tools: {} } })
  server.setRequestHandler(ListToolsRequestSchema, async () => ({
    tools: ['echo', 'ask', 'slow'].map((name) => ({
      name,
      inputSchema: { type: 'object' as const },
    })),
  }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    if (params.name === 'slow') {
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      return { content: [] }
    }
    const answer =
      params.name === 'ask'
        ? await server.elicitInput({
            message: `Who? ${mark}`,
            requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
          })
        : params.arguments
    return { content: [{ type: 'text', text: `${mark}${JSON.stringify(answer)}` }] }
  })
  const [near, far] = InMemoryTransport.createLinkedPair()
  await server.connect(far)
  onTestFinished(async () => await server.close())
  return { near, server }
}

describe('a server at a transport', () => {
  test('of the SDK, version 1, has its tools called and its questions answered', async () => {
    const server = await connect((await startSdkServer()).near, {}, { canAsk: true })
    expect(firstText(await call(server, 'echo', { a: [1, null] }))).toBe('{"a":[1,null]}')
    const { ask, asked } = answering(() => ({ action: 'accept', value: { name: 'Ada' } }))
    expect(firstText(await call(server, 'ask', {}, { ask }))).toContain('"name":"Ada"')
    expect(JSON.stringify(asked)).toContain('Who? ')
  })

  test('of the SDK, version 2, is connected as one of version 1', async () => {
    const [near, far] = InMemoryV2.createLinkedPair()
    const server = new ServerV2({ name: 'far', version: '2' }, { capabilities: { tools: {} } })
    server.setRequestHandler('tools/list', async () => ({
      tools: [{ name: 'echo', inputSchema: { type: 'object' as const } }],
    }))
    server.setRequestHandler('tools/call', async ({ params }) => ({
      content: [{ type: 'text' as const, text: JSON.stringify(params.arguments) }],
    }))
    await server.connect(far)
    onTestFinished(async () => await server.close())
    const connected = await connect(near)
    expect(firstText(await call(connected, 'echo', { a: 1 }))).toBe('{"a":1}')
  })

  test('two at the same time get their own calls and ask their own questions', async () => {
    const marks = ['Orion', 'Lyra']
    const servers = await Promise.all(
      marks.map(
        async (mark) => await connect((await startSdkServer(mark)).near, {}, { canAsk: true }),
      ),
    )
    await Promise.all(
      servers.map(async (server, index) => {
        const { ask, asked } = answering(() => ({
          action: 'accept',
          value: { name: marks[index] ?? '' },
        }))
        const results = [
          await call(server, 'echo', { from: marks[index] }),
          await call(server, 'ask', {}, { ask }),
        ]
        for (const result of results) expect(JSON.stringify(result)).toContain(marks[index])
        expect(JSON.stringify(asked)).toContain(`Who? ${marks[index]}`)
        expect(JSON.stringify(asked)).not.toContain(marks[1 - index])
      }),
    )
  })

  test('shares no objects with this side, and fields without a value are absent', async () => {
    const [near, far] = InMemoryTransport.createLinkedPair()
    const content = [{ type: 'text', text: 'before', annotations: undefined }]
    await serveOn(far, async () => ({ content, isError: false }) as never)
    const server = await connect(near)
    const result = await call(server, 'tool')
    Object.assign(content[0] ?? {}, { text: 'after' })
    expect(result.content).toStrictEqual([{ type: 'text', text: 'before' }])
  })

  test('learns that a call was cancelled', async () => {
    const { near } = await startSdkServer()
    const sent: unknown[] = []
    const server = await connect(near, {}, { onMessage: ({ message }) => sent.push(message) })
    const ending = new AbortController()
    const running = call(server, 'slow', {}, { signal: ending.signal })
    await expect.poll(() => JSON.stringify(sent)).toContain('"name":"slow"')
    ending.abort()
    expect((await running).isError).toBe(true)
    await expect.poll(() => JSON.stringify(sent)).toContain('notifications/cancelled')
  })
})

describe.for(VERSIONS)('served on a transport, MCP %s', (protocolVersion) => {
  test('a client of this package calls a tool and answers its question', async () => {
    const [near, far] = InMemoryTransport.createLinkedPair()
    await serveOn(far, async ({ arguments: values }) => text(JSON.stringify(values)))
    const server = await connect(near, { protocolVersion })
    expect(server.protocolVersion).toBe(protocolVersion)
    expect(firstText(await call(server, 'tool', { a: 'ü' }))).toBe('{"a":"ü"}')
  })

  test('a client of the SDK, version 2, calls a tool', async () => {
    const [near, far] = InMemoryV2.createLinkedPair()
    await serveOn(far, async ({ arguments: values }) => text(JSON.stringify(values)))
    const mode = protocolVersion === '2025-11-25' ? 'legacy' : 'auto'
    const client = new ClientV2({ name: 'sdk', version: '2' }, { versionNegotiation: { mode } })
    await client.connect(near)
    onTestFinished(async () => await client.close())
    expect(client.getNegotiatedProtocolVersion()).toBe(protocolVersion)
    const { content } = await client.callTool({ name: 'tool', arguments: { a: 1 } })
    expect(content).toEqual([{ type: 'text', text: '{"a":1}' }])
  })
})

test('a client of the SDK, version 1, calls a tool that is served on a transport', async () => {
  const [near, far] = InMemoryTransport.createLinkedPair()
  await serveOn(far, async () => text('served'))
  const client = new Client({ name: 'sdk', version: '1' })
  await client.connect(near)
  onTestFinished(async () => await client.close())
  expect((await client.callTool({ name: 'tool' })).content).toEqual([
    { type: 'text', text: 'served' },
  ])
})

test.for([
  [
    '1',
    (url: URL, init: RequestInit) => new StreamableHTTPClientTransport(url, { requestInit: init }),
  ],
  ['2', (url: URL, init: RequestInit) => new HttpV2(url, { requestInit: init })],
] as const)(
  'the HTTP transport of the SDK, version %s, learns the version that the server has chosen',
  async ([, create]) => {
    const served = await serve(async () => text('over HTTP'))
    const transport = create(new URL(served.url), { headers: bearer(served) })
    const server = await connect(transport as MessageTransport)
    expect(firstText(await call(server, 'tool'))).toBe('over HTTP')
    expect(transport.protocolVersion).toBe('2025-11-25')
  },
)

test('a connection that is lost is opened again with a new transport, if a function creates it', async () => {
  const servers: Server[] = []
  const pairs = await Promise.all(
    ['first ', 'second '].map(async (mark) => await startSdkServer(mark)),
  )
  const server = await connect(() => {
    const next = pairs[servers.length]
    if (!next) throw new Error('no more')
    servers.push(next.server)
    return next.near
  })
  expect(firstText(await call(server, 'echo'))).toContain('first')
  await servers[0]?.close()
  expect(firstText(await call(server, 'echo'))).toContain('second')
  expect(servers).toHaveLength(2)
})

test('a transport that is given as an object is used once, and the result says so', async () => {
  const { near, server: far } = await startSdkServer()
  const server = await connect(near)
  await far.close()
  const { isError, content } = await call(server, 'echo')
  expect(isError).toBe(true)
  expect(JSON.stringify(content)).toContain('its transport was used and cannot be started again')
})

test.for([
  [
    'that cannot be started',
    { start: async () => await Promise.reject(new Error('no socket')) },
    /could not be started.*no socket/,
  ],
  [
    'that fails to send',
    { send: async () => await Promise.reject(new Error('no wire')) },
    /no wire/,
  ],
] as const)('a transport %s is an error with its words', async ([, members, expected]) => {
  const transport = { start: idle, send: idle, close: idle, ...members }
  await expect(connectServer({ name: 'near', transport })).rejects.toThrow(expected)
})

test('a request whose stream ends without an answer is lost at once', async () => {
  const [near, far] = InMemoryTransport.createLinkedPair()
  await serveOn(far, never)
  const send = near.send.bind(near)
  const transport = Object.assign(near, {
    send: async (message: { method?: string }, options: { onRequestStreamEnd?: () => void }) => {
      await send(message as never)
      if (message.method === 'tools/call') options.onRequestStreamEnd?.()
    },
  })
  const server = await connect(transport)
  const { isError, content } = await call(server, 'tool')
  expect(isError).toBe(true)
  expect(JSON.stringify(content)).toContain('the stream of the request ended without an answer')
})

test('messages that are not JSON are counted, listeners of the transport stay, and the connection works', async () => {
  const { near } = await startSdkServer()
  const heard: unknown[] = []
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK knows callbacks only
  near.onmessage = (message) => heard.push(message)
  const server = await connect(near)
  const cycle: Record<string, unknown> = {}
  cycle['self'] = cycle
  near.onmessage?.(cycle as never)
  near.onmessage?.({ neither: 'request nor answer' } as never)
  expect(firstText(await call(server, 'echo'))).toBe('{}')
  expect(heard.length).toBeGreaterThan(3)
})

test('closing the server closes the transport, and the service on the other end has ended', async () => {
  const [near, far] = InMemoryTransport.createLinkedPair()
  const definitions = () => [tool()]
  const service = {
    name: 'o',
    version: '1',
    root: '/',
    definitions,
    callTool: async () => text(''),
  }
  const served = await serveTransport(service, far)
  const server = await connectServer({
    name: 'near',
    transport: { kind: 'transport', transport: near },
  })
  await server.close()
  await served.closed
})

test('a transport belongs to one connection: a second server or service with it is refused', async () => {
  const { near } = await startSdkServer()
  const server = await connect(near)
  await expect(connectServer({ name: 'other', transport: near })).rejects.toMatchObject({
    code: 'unreachable',
    reason: expect.stringContaining('was used'),
  })
  expect(firstText(await call(server, 'echo', { still: 'here' }))).toContain('here')
  const [, far] = InMemoryTransport.createLinkedPair()
  await serveOn(far, async () => text('first'))
  await expect(serveOn(far, async () => text('second'))).rejects.toThrow('one that was used')
})

test.for<[string, () => MessageTransport | (() => MessageTransport)]>([
  ['a start that never ends', () => ({ start: never, send: idle, close: idle })],
  ['a function that never ends', () => never as never],
  ['a start and a close that never end', () => ({ start: never, send: idle, close: never })],
])('%s ends with the signal and with the time for connecting', async ([, create]) => {
  const ended = new AbortController()
  const waiting = connectServer({ name: 'near', transport: create() }, {}, { signal: ended.signal })
  setImmediate(() => ended.abort())
  await expect(waiting).rejects.toMatchObject({ code: 'closed' })
  const late = connectServer({ name: 'near', transport: create(), connectTimeoutMs: 50 })
  await expect(late).rejects.toMatchObject({ code: 'timeout' })
})

test.for([
  ['nothing', undefined],
  ['an object without members', {}],
])('a function that returns %s is an error of the server', async ([, made]) => {
  const config = { name: 'near', transport: () => made as never }
  await expect(connectServer(config)).rejects.toMatchObject({
    name: 'McpServerError',
    reason: expect.stringContaining('returned no transport'),
  })
})

test('functions of a transport may return nothing, and errors of its listeners do not end the connection', async () => {
  const { near } = await startSdkServer()
  const heard: string[] = []
  const fail = (what: string) => (): never => {
    heard.push(what)
    throw new Error(`no ${what}`)
  }
  const close = near.close.bind(near)
  const transport = Object.assign(near, {
    onmessage: fail('message'),
    onclose: fail('close'),
    setProtocolVersion: fail('version'),
    close: () => void close(),
  })
  const server = await connectServer({ name: 'near', transport: transport as never })
  near.onerror?.(undefined as never)
  expect(firstText(await call(server, 'echo', { a: 1 }))).toBe('{"a":1}')
  await server.close()
  expect(new Set(heard)).toEqual(new Set(['version', 'message', 'close']))
})

test('an answer, or a request, that cannot be written as JSON ends at once with the reason', async () => {
  const [near, far] = InMemoryTransport.createLinkedPair()
  await serveOn(far, async () => text('served'))
  const send = far.send.bind(far)
  far.send = async (message, options) => {
    const isAnswer = 'result' in message && 'content' in message.result
    await send(isAnswer ? ({ ...message, result: 1n } as never) : message, options)
  }
  const server = await connect(near)
  const { isError, content } = await call(server, 'tool')
  expect(isError).toBe(true)
  expect(JSON.stringify(content)).toContain('could not be read')

  const [client, service] = InMemoryTransport.createLinkedPair()
  await serveOn(service, async () => text('served'))
  const { promise: answered, resolve } = Promise.withResolvers<unknown>()
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK knows callbacks only
  client.onmessage = resolve
  await client.start()
  await client.send({ jsonrpc: '2.0', id: 7, method: 'tools/list', params: { x: 1n } } as never)
  expect(await answered).toMatchObject({ id: 7, error: { code: -32_600 } })
})
