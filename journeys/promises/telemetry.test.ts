import { createServer } from 'node:http'
import { join } from 'node:path'
import { openStore } from '@toolblocks/conversation-store'
import { expect, onTestFinished, test } from 'vitest'
import { type Collector, startCollector } from '../stage/collector.ts'
import { run, startToolblocks, toolblocks } from '../stage/command.ts'
import { makeFolder, tool } from '../stage/folder.ts'
import { listen } from '../stage/listen.ts'
import { connectOverHttp, connectStateless, type Served } from '../stage/mcp-client.ts'
import { NOTES_TABLE } from '../stage/notes-server.ts'
import { startProvider } from '../stage/provider.ts'

const TOOLS = tool(
  'echo',
  ['echo', 'result {{tool.arguments.text}}'],
  'parameters = { text = { type = "string" } }',
)

/** Starts `toolblocks serve` over HTTP. It is ended with the test. */
async function serve(
  folder: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<{ served: Served; running: ReturnType<typeof startToolblocks> }> {
  const all = ['serve', '--http', '0', '--start-wait', '30', ...args]
  const running = startToolblocks(folder, all, environment)
  const [, url = ''] = await running.said(/at (http:\S+)/)
  const [, token = ''] = await running.said(/Bearer (\S+)/)
  return { served: { url: new URL(url), headers: { authorization: `Bearer ${token}` } }, running }
}

async function runWith(
  { environment }: Pick<Collector, 'environment'>,
  folder: string,
  ...args: readonly string[]
) {
  return await run(folder, args, { ...process.env, ...environment })
}

const toTraceId = (client: number, call: number): string =>
  `${client}${call}`.padStart(4, '0').padEnd(32, 'a')

test('promise telemetry: calls of two clients through a gateway to a server are one trace each, with the trace of the client, and without content', async () => {
  const collector = await startCollector()
  const behind = await serve(makeFolder({ 'toolblocks.toml': TOOLS }), [], {
    ...collector.environment,
    OTEL_SERVICE_NAME: 'behind',
  })
  const gateway = await serve(
    makeFolder({}),
    [
      '--server',
      `back=${behind.served.url.href}`,
      '--header',
      `Authorization: ${behind.served.headers.authorization}`,
    ],
    { ...collector.environment, OTEL_SERVICE_NAME: 'gateway' },
  )
  const clients = [await connectOverHttp(gateway.served), await connectStateless(gateway.served)]
  const { tools } = await clients[0]!.listTools()
  const [{ name } = { name: '' }] = tools.filter((each) => each.name.endsWith('echo'))
  const calls = clients.flatMap((client, index) =>
    Array.from({ length: 5 }, async (_, call) => {
      const traceparent = `00-${toTraceId(index, call)}-00f067aa0ba902b7-01`
      return await client.callTool({
        name,
        arguments: { text: 'swordfish' },
        _meta: { traceparent },
      })
    }),
  )
  expect(JSON.stringify(await Promise.all(calls))).toContain('result swordfish')
  expect(await gateway.running.end('SIGINT')).toBe(0)
  expect(await behind.running.end('SIGTERM')).toBe(0)
  for (const [index] of clients.entries())
    for (let call = 0; call < 5; call++) {
      const spans = collector.spans().filter(({ trace }) => trace === toTraceId(index, call))
      const path: string[] = []
      for (let parent = '00f067aa0ba902b7'; ;) {
        const [span, ...others] = spans.filter((each) => each.parent === parent)
        expect(others).toEqual([])
        if (!span) break
        path.push(`${span.service}: ${span.name}`)
        parent = span.id
      }
      expect(path).toEqual([
        `gateway: tools/call ${name}`,
        `gateway: execute_tool ${name}`,
        'gateway: tools/call echo',
        'behind: tools/call echo',
        'behind: execute_tool echo',
      ])
      expect(spans[0]?.attributes['gen_ai.tool.name']).toBeDefined()
    }
  const all = JSON.stringify(collector.requests)
  expect(all).not.toContain('swordfish')
  expect(collector.metrics()).toEqual(
    expect.arrayContaining([
      'mcp.server.operation.duration',
      'mcp.client.operation.duration',
      'gen_ai.execute_tool.duration',
      'mcp.server.session.duration',
    ]),
  )
})

test('promise telemetry: a malformed trace of a client is ignored, and its call is made', async () => {
  const collector = await startCollector()
  const { served, running } = await serve(
    makeFolder({ 'toolblocks.toml': TOOLS }),
    [],
    collector.environment,
  )
  const client = await connectOverHttp(served)
  for (const traceparent of ['', '00-0-0-0', 'x'.repeat(100_000), 7, null, {}]) {
    const result = await client.callTool({
      name: 'echo',
      arguments: { text: 'a' },
      _meta: { traceparent },
    })
    expect(JSON.stringify(result)).toContain('result a')
  }
  await running.end('SIGTERM')
  const calls = collector.spans().filter(({ name }) => name === 'tools/call echo')
  expect(calls).toHaveLength(6)
  for (const { parent, trace } of calls) expect([parent, trace.length]).toEqual(['', 32])
})

test('promise telemetry: a call is exported as the variables of OpenTelemetry say, with content only if they ask for it', async () => {
  const collector = await startCollector()
  const folder = makeFolder({ 'toolblocks.toml': TOOLS })
  const call = async (environment: Readonly<Record<string, string>>) =>
    await runWith(
      { environment: { ...collector.environment, ...environment } },
      folder,
      'call',
      'echo',
      '--arg',
      'text=swordfish',
    )
  const protobuf = await call({ OTEL_EXPORTER_OTLP_PROTOCOL: '' })
  expect([protobuf.code, protobuf.stderr]).toEqual([0, ''])
  const kinds = collector.requests.map(({ path, type }) => `${path} ${type}`)
  expect(kinds.toSorted()).toEqual([
    '/v1/metrics application/x-protobuf',
    '/v1/traces application/x-protobuf',
  ])
  expect(JSON.stringify(collector.requests)).toContain('execute_tool echo')
  expect(JSON.stringify(collector.requests)).not.toContain('swordfish')
  for (const more of [{ OTEL_SDK_DISABLED: 'true' }, { OTEL_EXPORTER_OTLP_ENDPOINT: '' }]) {
    collector.requests.length = 0
    expect(await call(more)).toMatchObject({ code: 0, stderr: '' })
    expect(collector.requests).toEqual([])
  }
  await call({
    OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true',
    OTEL_SERVICE_NAME: 'mine',
    OTEL_METRICS_EXPORTER: 'none',
  })
  expect(collector.metrics()).toEqual([])
  const [span] = collector.spans()
  expect(span).toMatchObject({ service: 'mine', name: 'execute_tool echo' })
  expect(span?.attributes['gen_ai.tool.call.arguments']).toBe('{"text":"swordfish"}')
  const grpc = await call({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })
  expect(grpc.stdout).toContain('result swordfish')
  expect(grpc.stderr).toContain(
    'OTEL_EXPORTER_OTLP_PROTOCOL is "grpc": traces are not exported; use http/protobuf or http/json',
  )
})

test('promise telemetry: a call of a tool of a server is the span of the call, and in it that of the request', async () => {
  const collector = await startCollector()
  const folder = makeFolder({ 'toolblocks.toml': NOTES_TABLE })
  const called = await runWith(collector, folder, 'call', 'notes__read', '--arg', 'path=a.md')
  expect(called.code).toBe(0)
  const find = (name: string) => collector.spans().find((span) => span.name === name)
  const request = find('tools/call read')
  expect(request?.parent).toBe(find('execute_tool notes__read')?.id)
  expect(request?.attributes['network.transport']).toBe('pipe')
  expect(collector.metrics()).toContain('mcp.client.session.duration')
})

test('promise telemetry: an endpoint that never answers, or refuses, delays the end of a call by two seconds at most, and is reported in one line', async () => {
  // It would hold the command for ten minutes.
  const silent = await listen(createServer(() => undefined))
  const folder = makeFolder({ 'toolblocks.toml': TOOLS })
  for (const endpoint of [silent, 'http://127.0.0.1:9']) {
    const environment = {
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_EXPORTER_OTLP_TIMEOUT: '600000',
    }
    const ran = await runWith({ environment }, folder, 'call', 'echo', '--arg', 'text=a')
    expect([ran.code, ran.stdout]).toEqual([0, expect.stringContaining('result a')])
    expect(ran.stderr).toMatch(/^warning: telemetry (?:was not|could not be) exported: [^\n]+\n$/)
  }
})

test('promise telemetry: a prompt is a trace of its turn, its model requests and its calls, with the tokens', async () => {
  const collector = await startCollector()
  const provider = await startProvider([
    { calls: [['echo', { text: 'swordfish' }]], usage: { input: 60, cached: 0, output: 5 } },
    { text: 'Done.' },
  ])
  const folder = makeFolder({ 'toolblocks.toml': provider.settings + TOOLS })
  expect(await runWith(collector, folder, 'run', 'Go.')).toMatchObject({ code: 0 })
  const spans = collector.spans()
  const turn = spans.find(({ name }) => name === 'invoke_agent')
  const inTurn = spans.filter(({ parent }) => parent === turn?.id).map(({ name }) => name)
  expect(inTurn).toEqual([
    expect.stringMatching(/^chat ./),
    'execute_tool echo',
    expect.stringMatching(/^chat ./),
  ])
  const chat = spans.find(({ name }) => name.startsWith('chat'))
  expect(chat?.attributes['gen_ai.provider.name']).toMatch(/^(?:anthropic|openai|gcp\.gemini)$/)
  expect(chat?.attributes['gen_ai.usage.input_tokens']).toBe(60)
  expect(collector.metrics()).toContain('gen_ai.client.token.usage')
  expect(JSON.stringify(collector.requests)).not.toContain('swordfish')
})

test('promise telemetry: --metrics offers the metrics of all clients to Prometheus, behind the token', async () => {
  const folder = makeFolder({ 'toolblocks.toml': TOOLS })
  const { served } = await serve(folder, ['--metrics'])
  const page = new URL('/metrics', served.url)
  const client = await connectOverHttp(served)
  await client.callTool({ name: 'echo', arguments: { text: 'swordfish' } })
  expect((await fetch(page)).status).toBe(401)
  expect((await fetch(page, { headers: { authorization: 'Bearer no' } })).status).toBe(401)
  const { headers } = served
  expect((await fetch(page, { method: 'POST', headers })).status).toBe(405)
  const response = await fetch(page, { headers })
  expect(response.headers.get('content-type')).toContain('text/plain; version=0.0.4')
  const text = await response.text()
  expect(text).toMatch(
    /^mcp_server_operation_duration_count\{[^}]*mcp_method_name="tools\/call"[^}]*gen_ai_tool_name="echo"[^}]*\} 1$/m,
  )
  expect(text).not.toContain('swordfish')
  const without = await serve(folder, [])
  const none = await fetch(new URL('/metrics', without.served.url), {
    headers: without.served.headers,
  })
  expect(none.status).toBe(404)
  const configured = makeFolder({ 'toolblocks.toml': `serve = { metrics = true }\n${TOOLS}` })
  const asConfigured = await serve(configured, [])
  const offered = await fetch(new URL('/metrics', asConfigured.served.url), {
    headers: asConfigured.served.headers,
  })
  expect(offered.status).toBe(200)
  const refused = await toolblocks(folder, 'serve', '--metrics')
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining('--metrics needs --http'),
  ])
})

test('promise telemetry: --log json writes a line about each request that names its call in the record, without content', async () => {
  const folder = makeFolder({
    'toolblocks.toml': `store = { url = "sqlite:calls.db" }\n${TOOLS}`,
  })
  const { served, running } = await serve(folder, ['--log', 'json'])
  const client = await connectOverHttp(served)
  const traceparent = `00-${toTraceId(0, 1)}-00f067aa0ba902b7-01`
  await client.callTool({ name: 'echo', arguments: { text: 'swordfish' }, _meta: { traceparent } })
  await client.callTool({ name: `no\u001B[31m${'x'.repeat(5000)}` }).catch(() => undefined)
  const [first] = await running.said(/^\{.*"tool":"echo".*\}$/m)
  const [unknown] = await running.said(/^\{.*"tool":"no.*\}$/m)
  expect(first).not.toContain('swordfish')
  const line: Record<string, unknown> = JSON.parse(first)
  expect(line).toEqual({
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    method: 'tools/call',
    tool: 'echo',
    client: 'journey',
    address: '127.0.0.1',
    version: '2025-11-25',
    session: expect.stringMatching(/^[\da-f-]{36}$/),
    request: expect.stringMatching(/^\d+$/),
    conversation: expect.any(String),
    call: expect.any(String),
    outcome: 'ok',
    ms: expect.any(Number),
    trace: toTraceId(0, 1),
  })
  expect(unknown.length).toBeLessThan(1000)
  expect(unknown).not.toContain('\u001B')
  expect(JSON.parse(unknown)).toMatchObject({ outcome: '-32602' })
  await running.end('SIGTERM')
  const store = await openStore(`sqlite:${join(folder, 'calls.db')}`)
  onTestFinished(async () => await store.close())
  const { events } = await store.read(String(line['conversation']), { limit: 100 })
  const calls = events.flatMap(({ event }) => (event.type === 'tool_call' ? [event.call.id] : []))
  // The call of a tool that does not exist is recorded too.
  expect(calls).toEqual([line['call'], expect.any(String)])
})
