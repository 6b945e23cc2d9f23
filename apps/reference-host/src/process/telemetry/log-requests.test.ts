import type { Operation, RunningOperation, Telemetry } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { inConversation } from './in-conversation.ts'
import { logRequests } from './log-requests.ts'

const CALL: Operation = {
  name: 'tools/call greet',
  kind: 'server',
  attributes: { 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': 'greet' },
  details: { 'jsonrpc.request.id': '7', 'gen_ai.tool.call.arguments': 'secret' },
}

const execute = (call: string): Operation => ({
  name: 'execute_tool greet',
  kind: 'internal',
  attributes: { 'gen_ai.operation.name': 'execute_tool' },
  details: { 'gen_ai.tool.call.id': call },
})

function open(inner?: Telemetry) {
  const lines: string[] = []
  const telemetry = logRequests((line) => void lines.push(line), inner)
  return { telemetry, read: () => lines.map((line) => JSON.parse(line)), lines }
}

/** Serves a request that executes a call. */
async function serve(telemetry: Telemetry, call: string, id: string): Promise<void> {
  const running = telemetry.start({ ...CALL, details: { 'jsonrpc.request.id': id } })
  await running.run(async () => {
    await new Promise(setImmediate)
    inConversation(telemetry, `conversation of ${call}`).start(execute(call)).end()
    // A call that this call makes belongs to another request.
    telemetry.start(execute('inner')).end()
  })
  running.end()
}

test('requests at the same time have the ids of their own calls', async () => {
  const { telemetry, read } = open()
  await Promise.all(['a', 'b', 'c'].map(async (call) => await serve(telemetry, call, `id ${call}`)))
  expect(read().map(({ request, call, conversation }) => [request, call, conversation])).toEqual(
    ['a', 'b', 'c'].map((call) => [`id ${call}`, call, `conversation of ${call}`]),
  )
})

test('only requests of clients are lines, once, with their error and without content', () => {
  const { telemetry, read, lines } = open()
  telemetry.start({ ...CALL, kind: 'client' }).end()
  telemetry.start(execute('a')).end()
  expect(lines).toEqual([])
  const running = telemetry.start(CALL)
  running.end({ error: 'tool_error', details: { 'gen_ai.tool.call.result': 'secret' } })
  running.end()
  expect(read()).toMatchObject([{ method: 'tools/call', request: '7', outcome: 'tool_error' }])
  expect(lines.join('')).not.toContain('secret')
})

test('every value is cut, and no control character is printed', () => {
  const { telemetry, lines } = open()
  const name = `\u001B[31m\u202E\n${'x'.repeat(100_000)}`
  telemetry
    .start({
      ...CALL,
      attributes: { 'mcp.method.name': name, 'gen_ai.tool.name': name },
      details: { 'toolblocks.client.name': name, 'jsonrpc.request.id': name },
    })
    .end({ error: name })
  expect(lines.join('').length).toBeLessThan(2000)
  for (const character of ['\u001B', '\u202E', '\n'])
    expect(lines.join('')).not.toContain(character)
})

test.for([
  ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', '4bf92f3577b34da6a3ce929d0e0e4736'],
  ['00-4bf9-00f067aa0ba902b7-01', undefined],
  ['<script>', undefined],
] as const)('without telemetry, the trace is that of the client: %s', ([traceparent, trace]) => {
  const { telemetry, read } = open()
  telemetry.start({ ...CALL, asked: { traceparent } }).end()
  expect(read()[0]?.trace).toBe(trace)
})

test('everything is passed on', () => {
  const received: unknown[] = []
  const running: RunningOperation = {
    run: (work) => {
      received.push('run')
      return work()
    },
    traceFields: () => ({ traceparent: 'own' }),
    end: (outcome) => void received.push(outcome),
  }
  const { telemetry } = open({
    capturesContent: true,
    start: ({ kind }) => {
      received.push(kind)
      return running
    },
    record: (...value) => void received.push(value),
  })
  const passed = telemetry.start(CALL)
  expect(passed.run(() => 7)).toBe(7)
  expect(passed.traceFields()).toEqual({ traceparent: 'own' })
  passed.end({ error: 'e' })
  telemetry.record('h', 1, {})
  expect(telemetry.capturesContent).toBe(true)
  expect(received).toEqual(['server', 'run', { error: 'e' }, ['h', 1, {}]])
})
