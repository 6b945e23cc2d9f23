import { startProgram } from '@toolblocks/local-executor'
import { isJsonObject, type JsonObject, type Telemetry } from '@toolblocks/protocol'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  type SeenSpan,
  watchTelemetry,
} from '../../../protocol/src/telemetry/open-telemetry.support.ts'
import { connectServer } from '../connect-server.ts'
import type { McpServer } from '../client/mcp-server.ts'
import type { ServerConfig } from '../client/server-config.ts'
import { createGateway } from '../gateway/create-gateway.ts'
import type { RunningHttpService } from '../serve-http.ts'
import { getServerConfig, serve, text } from '../testing/served.support.ts'
import { call, getContext } from '../testing/servers.support.ts'

const FOREIGN = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
const { signal: SIGNAL } = new AbortController()

async function connect(
  config: ServerConfig,
  telemetry?: Telemetry,
  hooks = {},
): Promise<McpServer> {
  const server = await connectServer(config, hooks, {
    startProgram,
    ...(telemetry && { telemetry }),
  })
  onTestFinished(async () => await server.close())
  return server
}

/** Serves a gateway before a server. */
async function serveBefore(
  config: ServerConfig,
  telemetry?: Telemetry,
): Promise<RunningHttpService> {
  const gateway = createGateway({ capabilities: {} })
  const server = await connect(config, telemetry, gateway.createHooks(config.name))
  gateway.setServers([server])
  return await serve(
    gateway.during(async (asked, { signal }) => {
      const match = server.tools().find(({ name }) => name === asked.name)
      if (!match) throw new Error(asked.name)
      return await match.execute(asked, getContext({ signal }))
    }),
    {
      definitions: () => server.tools(),
      features: gateway.features,
      ...(telemetry && { telemetry }),
    },
  )
}

/** Sends a call of a session that was written by hand, and returns its answer. */
async function postByHand(
  served: RunningHttpService,
  message: { method: string; params: JsonObject },
): Promise<void> {
  const server = await connect(getServerConfig(served))
  await server.request(message.method, message.params, { signal: SIGNAL })
}

const findSpan = (spans: readonly SeenSpan[], name: string, kind?: string): SeenSpan => {
  const match = spans.find((span) => span.name === name && (kind ?? span.kind) === span.kind)
  if (!match) throw new Error(`no span ${name}; there are ${spans.map((s) => s.name).join(', ')}`)
  return match
}

describe('a client and a server with telemetry', () => {
  test.for(['2025-11-25', '2026-07-28'] as const)(
    'have a span of each call, by the conventions, in MCP %s',
    async (protocolVersion) => {
      const { telemetry, spans, series } = watchTelemetry()
      const served = await serve(async () => text('well'), { telemetry })
      const config = { ...getServerConfig(served), protocolVersion }
      const server = await connect(config, telemetry)
      await call(server, 'tool', { password: 'swordfish' })
      const sent = findSpan(spans(), 'tools/call tool', 'client')
      const received = findSpan(spans(), 'tools/call tool', 'server')
      const id = String(sent.attributes['jsonrpc.request.id'])
      const session =
        protocolVersion === '2025-11-25'
          ? { 'mcp.session.id': sent.attributes['mcp.session.id'] }
          : {}
      const both = {
        'mcp.method.name': 'tools/call',
        'gen_ai.tool.name': 'tool',
        'gen_ai.operation.name': 'execute_tool',
        'mcp.protocol.version': protocolVersion,
        'network.transport': 'tcp',
        'network.protocol.name': 'http',
      }
      const { port } = new URL(served.url)
      const address = { 'server.address': '127.0.0.1', 'server.port': Number(port) }
      expect(sent.attributes).toEqual({
        ...both,
        ...address,
        ...session,
        'jsonrpc.request.id': id,
      })
      expect(received.attributes).toEqual({
        'client.address': '127.0.0.1',
        ...both,
        ...session,
        'jsonrpc.request.id': id,
        'toolblocks.client.name': 'toolblocks',
      })
      expect(received).toMatchObject({ parent: sent.id, trace: sent.trace, links: [] })
      expect(JSON.stringify(spans())).not.toMatch(/swordfish|well/)
      const calls = async (name: string) =>
        (await series(name)).filter(
          ({ attributes }) => attributes['mcp.method.name'] === 'tools/call',
        )
      expect(await calls('mcp.client.operation.duration')).toMatchObject([
        { count: 1, attributes: { ...both, ...address } },
      ])
      expect(await calls('mcp.server.operation.duration')).toMatchObject([
        { count: 1, attributes: both },
      ])
    },
  )

  test('say that standard streams are pipes, and end a session with its duration', async () => {
    const { telemetry, spans, series } = watchTelemetry()
    const program = new URL('../testing/stdio-service.support.ts', import.meta.url)
    const server = await connect(
      {
        name: 'piped',
        transport: { kind: 'stdio', command: process.execPath, args: [program.pathname] },
      },
      telemetry,
    )
    await call(server, 'echo')
    expect(findSpan(spans(), 'tools/call echo').attributes).toMatchObject({
      'network.transport': 'pipe',
      'mcp.protocol.version': '2025-11-25',
    })
    expect(findSpan(spans(), 'initialize').attributes).toMatchObject({
      'mcp.protocol.version': '2025-11-25',
    })
    expect(await series('mcp.client.session.duration')).toEqual([])
    await server.close()
    expect(await series('mcp.client.session.duration')).toMatchObject([
      {
        count: 1,
        attributes: { 'mcp.protocol.version': '2025-11-25', 'network.transport': 'pipe' },
      },
    ])
  })

  test('have one trace from the client through a gateway to the server', async () => {
    const last = watchTelemetry()
    const middle = watchTelemetry()
    const first = watchTelemetry()
    const served = await serve(async () => text('well'), { telemetry: last.telemetry })
    const gateway = await serveBefore(getServerConfig(served), middle.telemetry)
    const client = await connect({ ...getServerConfig(gateway), name: 'gate' }, first.telemetry)
    await client.request('tools/call', { name: 'ours__tool' }, { signal: SIGNAL })
    const sent = findSpan(first.spans(), 'tools/call ours__tool')
    const taken = findSpan(middle.spans(), 'tools/call ours__tool', 'server')
    const passed = findSpan(middle.spans(), 'tools/call tool', 'client')
    const received = findSpan(last.spans(), 'tools/call tool', 'server')
    expect([taken.parent, passed.parent, received.parent]).toEqual([sent.id, taken.id, passed.id])
    expect(new Set([sent, taken, passed, received].map(({ trace }) => trace)).size).toBe(1)
  })

  test.for([true, false])(
    'pass the trace of a foreign client on, with telemetry of the gateway: %s',
    async (isTraced) => {
      const last = watchTelemetry()
      const middle = watchTelemetry()
      const served = await serve(async () => text('well'), { telemetry: last.telemetry })
      const gateway = await serveBefore(
        getServerConfig(served),
        isTraced ? middle.telemetry : undefined,
      )
      const meta = { traceparent: FOREIGN, tracestate: 'rojo=1', baggage: 'user=7' }
      await postByHand(gateway, {
        method: 'tools/call',
        params: { name: 'ours__tool', _meta: meta },
      })
      const received = findSpan(last.spans(), 'tools/call tool')
      const parent = isTraced
        ? findSpan(middle.spans(), 'tools/call tool', 'client').id
        : '00f067aa0ba902b7'
      expect(received).toMatchObject({ trace: '4bf92f3577b34da6a3ce929d0e0e4736', parent })
    },
  )

  test('do not mix the traces of clients that call at the same time', async () => {
    const last = watchTelemetry()
    const middle = watchTelemetry()
    const served = await serve(
      async ({ arguments: { mark } }) => {
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 5))
        last.telemetry
          .start({ name: `work ${String(mark)}`, kind: 'internal', attributes: {} })
          .end()
        return text(String(mark))
      },
      { telemetry: last.telemetry },
    )
    const gateway = await serveBefore(getServerConfig(served), middle.telemetry)
    const traces = await Promise.all(
      ['a', 'b'].map(async (mark) => {
        const { telemetry, spans } = watchTelemetry()
        const client = await connect({ ...getServerConfig(gateway), name: 'gate' }, telemetry)
        const root = telemetry.start({ name: 'root', kind: 'internal', attributes: {} })
        await root.run(
          async () =>
            await Promise.all(
              Array.from({ length: 20 }, async () =>
                client.request(
                  'tools/call',
                  { name: 'ours__tool', arguments: { mark } },
                  { signal: SIGNAL },
                ),
              ),
            ),
        )
        root.end()
        return findSpan(spans(), 'root').trace
      }),
    )
    const works = last.spans().filter(({ name }) => name.startsWith('work'))
    expect(works).toHaveLength(40)
    for (const { name, trace, parent } of works) {
      expect(trace).toBe(traces[name === 'work a' ? 0 : 1])
      expect(last.spans().find(({ id }) => id === parent)?.name).toBe('tools/call tool')
    }
    expect(traces[0]).not.toBe(traces[1])
  })

  test.for([
    ['an error of the tool', 'tool', {}, 'tool_error', 'tool'],
    ['an unknown tool', 'invented-7', {}, '-32602', undefined],
  ] as const)('say how a call failed: %s', async ([, name, params, error, inSeries]) => {
    const { telemetry, spans, series } = watchTelemetry()
    const served = await serve(async () => ({ ...text('secret reason'), isError: true }), {
      telemetry,
    })
    await postByHand(served, { method: 'tools/call', params: { name, ...params } })
    const span = findSpan(spans(), `tools/call ${name}`)
    expect(span).toMatchObject({ isError: true, attributes: { 'error.type': error } })
    expect(JSON.stringify(spans())).not.toContain('secret reason')
    const all = await series('mcp.server.operation.duration')
    const failed = all.filter(({ attributes }) => attributes['error.type'] !== undefined)
    expect(failed.map(({ attributes }) => attributes['gen_ai.tool.name'])).toEqual([inSeries])
  })

  test('methods that do not exist are one series', async () => {
    const { telemetry, series } = watchTelemetry()
    const served = await serve(async () => text(''), { telemetry })
    for (const method of ['x/1', 'x/2', 'y'.repeat(10_000)])
      await postByHand(served, { method, params: {} })
    const all = await series('mcp.server.operation.duration')
    const failed = all.filter(({ attributes }) => attributes['error.type'] === '-32601')
    expect(failed).toMatchObject([{ count: 3, attributes: { 'mcp.method.name': '_OTHER' } }])
  })

  test('a call that its client cancels is ended on both sides', async () => {
    const { telemetry, spans } = watchTelemetry()
    const ending = new AbortController()
    const { promise: isOver, resolve } = Promise.withResolvers<void>()
    const served = await serve(
      async (_call, { signal }) => {
        ending.abort()
        await new Promise((settle) => signal.addEventListener('abort', settle, { once: true }))
        setImmediate(() => setImmediate(resolve))
        return text('late')
      },
      { telemetry },
    )
    const server = await connect(getServerConfig(served), telemetry)
    await server.request('tools/call', { name: 'tool' }, { signal: ending.signal })
    await isOver
    const calls = spans().filter(({ name }) => name === 'tools/call tool')
    expect(calls.map(({ kind }) => kind).toSorted()).toEqual(['client', 'server'])
    for (const { attributes } of calls) expect(attributes['error.type']).toBe('cancelled')
  })

  test('arguments and results are reported only if the host wants them', async () => {
    const { telemetry, spans } = watchTelemetry({ captureContent: true })
    const served = await serve(async () => text('x'.repeat(100_000)), { telemetry })
    await postByHand(served, {
      method: 'tools/call',
      params: { name: 'tool', arguments: { who: 'Ada' } },
    })
    const { attributes } = findSpan(spans(), 'tools/call tool')
    expect(attributes['gen_ai.tool.call.arguments']).toBe('{"who":"Ada"}')
    expect(String(attributes['gen_ai.tool.call.result'])).toHaveLength(65_536)
  })

  test('a URI is reported without user, password and query', async () => {
    const { telemetry, spans } = watchTelemetry()
    const served = await serve(async () => text(''), {
      telemetry,
      readResource: async () => text(''),
    })
    const uri = 'postgres://ada:secret@host/table?key=secret#secret'
    await postByHand(served, { method: 'resources/read', params: { uri } })
    expect(findSpan(spans(), 'resources/read').attributes['mcp.resource.uri']).toBe(
      'postgres://host/table',
    )
  })

  test.for([true, false])(
    'a request of the server is below its call only if the server names it: %s',
    async (isNamed) => {
      const { telemetry, spans } = watchTelemetry()
      const served = await serve(
        async (_call, { signal }, client) => {
          await client.request('roots/list', {}, signal)
          return text('asked')
        },
        isNamed ? { telemetry } : {},
      )
      const listRoots = async () => ({ roots: [] })
      const server = await connect(getServerConfig(served), telemetry, { listRoots })
      await call(server, 'tool')
      const answered = findSpan(spans(), 'roots/list', 'server')
      const asked = spans().find(({ name, kind }) => name === 'roots/list' && kind === 'client')
      const called = spans().find(({ name, kind }) => name.endsWith('tool') && kind === 'server')
      expect(answered.parent).toBe(asked?.id)
      expect(asked?.parent).toBe(called?.id)
      expect([asked, called].every((span) => (span !== undefined) === isNamed)).toBe(true)
    },
  )

  test('without telemetry no message names a trace', async () => {
    const seen: unknown[] = []
    const served = await serve(async ({ _meta: meta }) => {
      seen.push(meta)
      return text('')
    })
    const server = await connect(getServerConfig(served))
    await call(server, 'tool')
    expect(seen.some((meta) => isJsonObject(meta) && JSON.stringify(meta).includes('trace'))).toBe(
      false,
    )
  })
})
