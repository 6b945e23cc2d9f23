import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createSuccessResult, type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { describe, expect, onTestFinished, test } from 'vitest'
import { META, postCall, VERSION } from './testing/post-call.support.ts'
import { getServerConfig, bearer, serve, text, tool } from './testing/served.support.ts'
import { call, connect } from './testing/servers.support.ts'
import { firstText, getContext } from './testing/servers.support.ts'

const program = fileURLToPath(new URL('testing/stdio-service.support.ts', import.meta.url))

describe('one address', () => {
  test('serves both protocol versions, each client in its own', async () => {
    const served = await serve(async () => text('served'))
    const clients = await Promise.all(
      (['2025-11-25', '2026-07-28', 'auto'] as const).map(
        async (protocolVersion) => await connect({ ...getServerConfig(served), protocolVersion }),
      ),
    )
    expect(clients.map(({ protocolVersion }) => protocolVersion)).toEqual([
      '2025-11-25',
      '2026-07-28',
      '2026-07-28',
    ])
    for (const client of clients) expect(firstText(await call(client, 'tool'))).toBe('served')
  })

  test('checks the token and the host name in both protocol versions', async () => {
    const served = await serve(async () => text('in'), {}, { token: 'abc' })
    const wrong = {
      ...getServerConfig(served, bearer({ token: 'abd' })),
      protocolVersion: '2026-07-28',
    } as const
    await expect(connect(wrong)).rejects.toMatchObject({
      code: 'unauthorized',
    })
    const server = await connect({ ...getServerConfig(served), protocolVersion: '2026-07-28' })
    expect(firstText(await call(server, 'tool'))).toBe('in')
  })
})

test('standard streams also serve MCP 2026-07-28', async () => {
  const transport = { kind: 'stdio' as const, command: process.execPath, args: [program] }
  // Not "auto", whose five seconds for the first answer apply only to a program, which must start.
  const server = await connect({ name: 'own', transport, protocolVersion: '2026-07-28' })
  expect(server).toMatchObject({ protocolVersion: '2026-07-28', instructions: 'Use it well.' })
  expect(firstText(await call(server, 'echo', { a: 1 }))).toBe('{"a":1}')
})

describe('a client of MCP 2026-07-28', () => {
  test('receives complete definitions, results, progress and resources', async () => {
    const definition = tool({ summary: 'Short.', description: 'Long.', examples: '`x`' })
    const result = {
      ...createSuccessResult([{ type: 'text', text: 'a', mimeType: 'text/markdown' }]),
      structuredContent: [1, null],
    }
    const served = await serve(
      async (_call, { onProgress }) => {
        onProgress?.({ progress: 1, total: 2, message: 'half' })
        return result
      },
      {
        definitions: () => [definition],
        readResource: async (uri) =>
          createSuccessResult([{ type: 'resource', resource: { uri, text: 'x', name: 'N' } }]),
      },
    )
    const server = await connect({ ...getServerConfig(served), protocolVersion: '2026-07-28' })
    expect(server.tools()).toMatchObject([{ ...definition, name: 'ours__tool' }])
    const seen: unknown[] = []
    const onProgress = (progress: unknown): void => void seen.push(progress)
    expect(await call(server, 'tool', {}, { onProgress })).toMatchObject(result)
    expect(seen).toEqual([{ progress: 1, total: 2, message: 'half' }])
    expect((await server.readResource('a:b', getContext())).content).toEqual([
      { type: 'resource', resource: { uri: 'a:b', text: 'x', name: 'N' } },
    ])
  })

  test('is informed when the tools have changed', async () => {
    const changes = new Set<() => void>()
    let definitions = [tool()]
    const service = {
      definitions: () => definitions,
      onDefinitionsChanged: (changed: () => void) => {
        changes.add(changed)
        return () => void changes.delete(changed)
      },
    }
    const served = await serve(async () => text(''), service)
    const names = Promise.withResolvers<readonly string[]>()
    const server = await connect(
      { ...getServerConfig(served), protocolVersion: '2026-07-28' },
      { onToolsChanged: ({ tools }) => names.resolve(tools().map(({ name }) => name)) },
    )
    expect(server.tools()).toHaveLength(1)
    definitions = [tool(), tool({ name: 'more' })]
    // The stream is opened at the same time as the first calls.
    const again = setInterval(() => changes.forEach((changed) => changed()), 50)
    onTestFinished(() => clearInterval(again))
    expect(await names.promise).toEqual(['ours__tool', 'ours__more'])
  })

  test('made by others understands it', async () => {
    const served = await serve(async () => ({ ...text('a'), structuredContent: 3 }))
    const client = new Client(
      { name: 'other', version: '1' },
      { versionNegotiation: { mode: { pin: VERSION } } },
    )
    onTestFinished(async () => await client.close())
    await client.connect(
      new StreamableHTTPClientTransport(new URL(served.url), {
        requestInit: { headers: bearer(served) },
      }),
    )
    expect(await client.callTool({ name: 'tool' })).toMatchObject({
      content: [{ type: 'text', text: 'a' }],
      structuredContent: 3,
    })
  })

  test('has a listener for log messages while its request runs, and none afterwards', async () => {
    const listeners = new Set<unknown>()
    const counts: number[] = []
    const served = await serve(async () => text(''), {
      features: {
        capabilities: () => ({ logging: {}, prompts: {} }),
        answer: async ({ method }) => {
          counts.push(listeners.size)
          return method === 'prompts/list' ? { prompts: [] } : {}
        },
        watch: (listener) => {
          listeners.add(listener)
          return () => void listeners.delete(listener)
        },
      },
    })
    const listed = await postCall(
      served,
      {},
      { method: 'prompts/list', headers: { 'mcp-method': 'prompts/list' }, logLevel: 'info' },
    )
    expect(listed).toMatchObject({ result: { prompts: [] } })
    expect([...counts, listeners.size]).toEqual([1, 1, 0])
  })

  test('that cancels ends the call', async () => {
    const { promise: started, resolve: start } = Promise.withResolvers<void>()
    const { promise: aborted, resolve: abort } = Promise.withResolvers<void>()
    const served = await serve(async (_call, { signal }) => {
      signal.addEventListener('abort', () => abort(), { once: true })
      start()
      await aborted
      return text('')
    })
    const ending = new AbortController()
    const server = await connect({ ...getServerConfig(served), protocolVersion: '2026-07-28' })
    const calling = call(server, 'tool', {}, { signal: ending.signal })
    await started
    ending.abort()
    await aborted
    expect((await calling).metadata?.outcome).toBe('cancelled')
  })
})

test('an unknown method has the status 404 over HTTP', async () => {
  const served = await serve(async () => text(''))
  const headers = { 'mcp-method': 'prompts/list' }
  expect(await postCall(served, {}, { headers, method: 'prompts/list' })).toEqual({
    status: 404,
    jsonrpc: '2.0',
    id: 1,
    error: { code: -32_601, message: 'Method not found' },
  })
})

test('a key of another length is refused before anything is served', async () => {
  const stateKey = new Uint8Array(16)
  await expect(serve(async () => text(''), {}, { stateKey })).rejects.toMatchObject({
    code: 'wrong-state-key',
    message: expect.stringContaining('expected 32 bytes, got 16'),
  })
})

const envelope = (more: JsonObject = {}): JsonObject => ({
  _meta: {
    [`${META}/protocolVersion`]: VERSION,
    [`${META}/clientCapabilities`]: {},
    ...more,
  },
})
const asked = (params: JsonObject, method = 'tools/list'): JsonObject => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params,
})

test.for<[string, unknown, Record<string, string>, number, number | undefined]>([
  ['all that is wanted', asked(envelope()), {}, 200, undefined],
  ['no word of its client', asked({}), {}, 400, -32_602],
  ['no capabilities', asked(envelope({ [`${META}/clientCapabilities`]: 1 })), {}, 400, -32_602],
  ['a client without a name', asked(envelope({ [`${META}/clientInfo`]: {} })), {}, 400, -32_602],
  [
    'a version that is not supported',
    asked(envelope({ [`${META}/protocolVersion`]: '2099-01-01' })),
    { 'mcp-protocol-version': '2099-01-01' },
    400,
    -32_022,
  ],
  ['two versions', asked(envelope()), { 'mcp-protocol-version': '2099-01-01' }, 400, -32_020],
  ['another method in its header', asked(envelope()), { 'mcp-method': 'x' }, 400, -32_020],
  [
    'the initialize request of older versions',
    asked(envelope(), 'initialize'),
    { 'mcp-method': 'initialize' },
    404,
    -32_601,
  ],
  ['several requests', [asked(envelope()), asked(envelope())], {}, 400, -32_600],
  ['an answer', { jsonrpc: '2.0', id: 1, result: {} }, {}, 400, -32_600],
  ['a notification', { jsonrpc: '2.0', method: 'notifications/x' }, {}, 202, undefined],
  ['another type', asked(envelope()), { 'content-type': 'text/plain' }, 415, -32_000],
])(
  'a request over HTTP with %s has its own status and error',
  async ([, body, headers, status, code]) => {
    const served = await serve(async () => text(''))
    const response = await fetch(served.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'mcp-protocol-version': VERSION,
        'mcp-method': 'tools/list',
        ...bearer(served),
        ...headers,
      },
      body: JSON.stringify(body),
    })
    expect(response.status).toBe(status)
    const responseBody: unknown = JSON.parse((await response.text()) || '{}')
    const error = isJsonObject(responseBody) ? responseBody['error'] : undefined
    expect(isJsonObject(error) ? error['code'] : undefined).toBe(code)
  },
)

test('closing the server ends the open streams for changes with a result', async () => {
  const served = await serve(async () => text(''), { onDefinitionsChanged: () => () => undefined })
  const listen = asked(
    { ...envelope(), notifications: { toolsListChanged: true } },
    'subscriptions/listen',
  )
  const response = await fetch(served.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'mcp-protocol-version': VERSION,
      'mcp-method': 'subscriptions/listen',
      ...bearer(served),
    },
    body: JSON.stringify(listen),
  })
  const stream = response.text()
  await served.close()
  const events = (await stream).split('\n').filter((line) => line.startsWith('data: '))
  const _meta = { [`${META}/subscriptionId`]: 1 }
  expect(events.map((line): unknown => JSON.parse(line.slice(6)))).toMatchObject([
    {
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { toolsListChanged: true }, _meta },
    },
    { id: 1, result: { resultType: 'complete', _meta } },
  ])
})
