import { MeterProvider } from '@opentelemetry/sdk-metrics'
import { describe, expect, test } from 'vitest'
import { watchTelemetry } from './open-telemetry.support.ts'
import type { Operation } from './telemetry.ts'

const PARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
const CALL: Operation = {
  name: 'tools/call greet',
  kind: 'server',
  attributes: { 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': 'greet' },
  details: { 'jsonrpc.request.id': '1', 'mcp.session.id': undefined },
  duration: 'mcp.server.operation.duration',
}

describe('createOpenTelemetry()', () => {
  test('makes a span of an operation, with the attributes of its start and of its end', () => {
    const { telemetry, spans } = watchTelemetry()
    const running = telemetry.start(CALL)
    running.end({ error: 'tool_error', attributes: { 'mcp.protocol.version': '2025-11-25' } })
    running.end({ error: 'later' })
    expect(spans()).toMatchObject([
      { name: 'tools/call greet', kind: 'server', parent: undefined, isError: true },
    ])
    expect(spans()[0]?.attributes).toEqual({
      'mcp.method.name': 'tools/call',
      'gen_ai.tool.name': 'greet',
      'jsonrpc.request.id': '1',
      'mcp.protocol.version': '2025-11-25',
      'error.type': 'tool_error',
    })
  })

  test('records the duration without the details, in the boundaries of the conventions', async () => {
    const { telemetry, series, boundaries } = watchTelemetry()
    telemetry.start(CALL).end({
      error: '-32602',
      attributes: { 'gen_ai.tool.name': undefined },
      details: { 'mcp.resource.uri': 'file:///a' },
    })
    const [first, ...others] = await series('mcp.server.operation.duration')
    expect(others).toEqual([])
    expect(first).toMatchObject({
      count: 1,
      attributes: { 'mcp.method.name': 'tools/call', 'error.type': '-32602' },
    })
    expect(Object.keys(first?.attributes ?? {})).toHaveLength(2)
    expect(first?.sum).toBeLessThan(60)
    expect(await boundaries('mcp.server.operation.duration')).toEqual([
      0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300,
    ])
  })

  test('knows the boundaries of every histogram of the conventions', async () => {
    const { telemetry, boundaries } = watchTelemetry()
    for (const name of ['gen_ai.client.token.usage', 'gen_ai.client.operation.duration'])
      telemetry.record(name, 1, {})
    telemetry.record('gen_ai.invoke_agent.duration', 1, {})
    expect(await boundaries('gen_ai.client.token.usage')).toEqual([
      1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216,
      67_108_864,
    ])
    expect(await boundaries('gen_ai.client.operation.duration')).toEqual([
      0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
    ])
    expect(await boundaries('gen_ai.invoke_agent.duration')).toEqual([
      0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 51.2, 102.4, 204.8, 409.6,
    ])
  })

  test('an operation that succeeds is no error, and one that ends twice is counted once', async () => {
    const { telemetry, spans, series } = watchTelemetry()
    const running = telemetry.start({ ...CALL, details: { list: ['a', 'b'] } })
    running.end()
    running.end()
    telemetry.start({ name: 'without a duration', kind: 'internal', attributes: {} }).end()
    const [call, other] = spans()
    expect(call).toMatchObject({ isError: false, attributes: { list: ['a', 'b'] } })
    expect(call?.attributes).not.toHaveProperty('error.type')
    expect(other?.isError).toBe(false)
    expect(await series('mcp.server.operation.duration')).toMatchObject([{ count: 1 }])
  })

  test('one histogram is made for all values of a name', () => {
    const made: string[] = []
    const meterProvider = new MeterProvider()
    const getMeter = meterProvider.getMeter.bind(meterProvider)
    meterProvider.getMeter = (...asked) => {
      made.push(asked[0])
      return getMeter(...asked)
    }
    const { telemetry } = watchTelemetry({ meterProvider })
    for (const value of [1, 2]) telemetry.record('gen_ai.client.token.usage', value, {})
    telemetry.record('of no convention', 1, {})
    expect(made).toEqual(['toolblocks', 'toolblocks'])
  })

  test('an operation that begins in another one is its child, also after a wait', async () => {
    const { telemetry, spans } = watchTelemetry()
    const outer = telemetry.start(CALL)
    await outer.run(async () => {
      await new Promise(setImmediate)
      telemetry.start({ ...CALL, name: 'inner', kind: 'internal' }).end()
      telemetry.start({ ...CALL, name: 'apart', isApart: true }).end()
    })
    outer.end()
    const [inner, apart, root] = spans()
    expect(inner).toMatchObject({ parent: root?.id, trace: root?.trace, links: [] })
    expect(apart).toMatchObject({ parent: undefined, links: [] })
    expect(apart?.trace).not.toBe(root?.trace)
  })

  test('a message names the parent, and the operation around it is linked', () => {
    const { telemetry, spans } = watchTelemetry()
    const around = telemetry.start({ ...CALL, name: 'POST' })
    around.run(() => telemetry.start({ ...CALL, asked: { traceparent: PARENT } }).end())
    around.end()
    const [call, post] = spans()
    expect(call).toMatchObject({
      trace: '4bf92f3577b34da6a3ce929d0e0e4736',
      parent: '00f067aa0ba902b7',
      links: [post?.id],
    })
  })

  test.for([
    { traceparent: 7 },
    { traceparent: '' },
    { traceparent: 'x'.repeat(10_000) },
    { traceparent: '00-00000000000000000000000000000000-00f067aa0ba902b7-01' },
    { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01' },
    { traceparent: '00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01' },
    { traceparent: `${PARENT}-extra` },
    { traceparent: `ff${PARENT.slice(2)}` },
    { traceparent: [PARENT] },
    { tracestate: 'a=1' },
    Object.create({ traceparent: PARENT }),
    {},
  ])('a malformed parent is ignored: %j', (asked) => {
    const { telemetry, spans } = watchTelemetry()
    telemetry.start({ ...CALL, asked }).end()
    expect(spans()).toMatchObject([{ parent: undefined }])
  })

  test('the fields of a message name the operation, and keep the state of the trace', () => {
    const { telemetry, spans } = watchTelemetry()
    const asked = { traceparent: PARENT, tracestate: 'rojo=00f067aa0ba902b7' }
    const running = telemetry.start({ ...CALL, asked })
    const fields = running.traceFields()
    running.end()
    expect(fields).toEqual({
      traceparent: `00-4bf92f3577b34da6a3ce929d0e0e4736-${spans()[0]?.id}-01`,
      tracestate: 'rojo=00f067aa0ba902b7',
    })
  })

  test('without an SDK nothing is reported, and nothing fails', async () => {
    const { createOpenTelemetry } = await import('../opentelemetry.ts')
    const telemetry = createOpenTelemetry()
    const running = telemetry.start({ ...CALL, asked: { traceparent: PARENT } })
    expect(running.run(() => 7)).toBe(7)
    expect(running.traceFields()).toEqual({})
    running.end()
    expect(telemetry.capturesContent).toBe(false)
  })
})
