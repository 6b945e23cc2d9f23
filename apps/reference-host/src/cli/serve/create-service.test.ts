import { once } from 'node:events'
import type { ConversationEvent } from '@toolblocks/conversation-store'
import { startProgram } from '@toolblocks/local-executor'
import { connectServer } from '@toolblocks/mcp-bridge'
import type { ServedClient } from '@toolblocks/mcp-bridge/server'
import {
  type CallContext,
  type Tool,
  booleanQuestion,
  createFailure,
  createSuccessResult,
  withStatus,
} from '@toolblocks/protocol'
import type { ToolEntry } from '@toolblocks/tool-executor'
import { expect, onTestFinished, test, vi } from 'vitest'
import { NOTES } from '../../workspace/servers/workspace.support.ts'
import { type ServiceOptions, createService } from './create-service.ts'
import { recordCalls } from './record-calls.ts'

const signal = new AbortController().signal
const client: ServedClient = {
  id: 'c',
  protocolVersion: '2025-11-25',
  capabilities: {},
  identity: '',
  request: async () => ({ kind: 'aborted' }),
  notify: () => undefined,
}

/** A tool that returns its arguments, and asks a question first if the arguments request it. */
const tool = (name: string): Tool => ({
  name,
  inputSchema: { type: 'object', properties: { asks: { type: 'boolean' } } },
  execute: async (call, context) => {
    const question = booleanQuestion({ id: 'go', text: 'Go?' })
    const isAsking = call.arguments['asks'] === true && context.answers['go'] === undefined
    if (isAsking) return createSuccessResult([{ type: 'question', question }])
    const { sha256 } = (await context.keepBytes?.(new Uint8Array([1]), {
      call: call.id,
      stream: 'stdout',
    })) ?? { sha256: 'nothing is kept' }
    const text = JSON.stringify([context.root, context.answers, sha256])
    return createSuccessResult([{ type: 'text', text }])
  },
})

function open(
  entries: readonly ToolEntry[],
  more: Partial<ServiceOptions> = {},
): ReturnType<typeof createService> & { events: ConversationEvent[] } {
  const events: ConversationEvent[] = []
  const opened = createService(entries, {
    version: '1.2.3',
    root: '/w',
    servers: [],
    approval: 'user',
    record: {
      record: async (...added) => void events.push(...added),
      keepBytes: async () => ({ sha256: 'kept', bytes: 1 }),
      close: async () => {},
    },
    ...more,
  })
  onTestFinished(async () => await opened.close())
  return { ...opened, events }
}

test('a service reports its version, its folder, its instructions and the tools that may run', () => {
  const policies = ['deny', 'skip', 'unattended', 'ask'] as const
  const entries: ToolEntry[] = policies.map((policy) => ({ tool: tool(policy), policy }))
  const { service } = open([...entries, { tool: tool('default') }], {
    instructions: 'Two wait.',
  })
  const { name, version, root, instructions } = service
  expect({ name, version, root, instructions }).toEqual({
    name: 'toolblocks',
    version: '1.2.3',
    root: '/w',
    instructions: 'Two wait.',
  })
  const names = ['unattended', 'ask', 'default']
  expect(service.definitions().map((each) => each.name)).toEqual(names)
  expect(open(entries).service).not.toHaveProperty('instructions')
  expect(open(entries).service).not.toHaveProperty('readResource')
})

test('the caller approves a call, its questions are recorded, and its output is kept', async () => {
  const { service, events } = open([{ tool: tool('asked') }])
  const put: string[] = []
  const ask = {
    user: async ({ text }: { text: string }) => {
      put.push(text)
      return { action: 'accept', value: true } as const
    },
  }
  const call = { id: 'c', name: 'asked', arguments: { asks: true } }
  const result = await service.callTool(call, { signal, root: '/w', ask }, client)
  expect(put).toEqual(['Run asked?', 'Go?'])
  expect(result.content).toMatchObject([{ text: JSON.stringify(['/w', { go: true }, 'kept']) }])
  expect(events.map(({ type }) => type)).toEqual([
    'configuration',
    'turn_start',
    'tool_call',
    'approval',
    'question',
    'answer',
    'tool_result',
  ])
  expect(events[2]).toMatchObject({ call })
  expect(events[3]).toEqual({ type: 'approval', callId: 'c', decision: 'allowed', by: 'user' })
  expect(events[6]).toMatchObject({ result: { id: 'c', isError: false } })
})

test('a person decides about a call that they see, and is asked no more when its client cancels it', async () => {
  const { service, events } = open([{ tool: tool('asked') }])
  const call = { id: 'c', name: 'asked', arguments: { path: 'a.txt' } }
  const cancelling = new AbortController()
  const put: unknown[] = []
  const ask: CallContext['ask'] = {
    user: async (request, { blocks, source, signal: over }) => {
      put.push([request.text, blocks, source])
      cancelling.abort()
      if (!over.aborted) await once(over, 'abort')
      return { action: 'cancel', reason: 'aborted' }
    },
  }
  const result = await service.callTool(
    call,
    { signal: cancelling.signal, root: '/w', ask },
    client,
  )
  expect(put).toEqual([
    ['Run asked?', [{ type: 'text', text: '{\n  "path": "a.txt"\n}' }], { kind: 'question', call }],
  ])
  expect(result.metadata).toMatchObject({ outcome: 'cancelled' })
  expect(events.find(({ type }) => type === 'approval')).toMatchObject({ decision: 'cancelled' })
})

test.for([
  [{ action: 'accept', value: false }, 'by the user'],
  [{ action: 'decline' }, 'by the user'],
  [{ action: 'cancel', reason: 'nobody' }, '--trust-client'],
  [{ action: 'cancel', reason: 'failed', message: 'no' }, '--trust-client'],
] as const)('the answer %j denies a call, and the record says why', async ([answer, why]) => {
  const { service, events } = open([{ tool: tool('asked') }])
  const call = { id: 'c', name: 'asked', arguments: {} }
  const ask = { user: async () => answer }
  const result = await service.callTool(call, { signal, root: '/w', ask }, client)
  expect(result.metadata).toMatchObject({ outcome: 'denied' })
  expect(JSON.stringify(result.content)).toContain(why)
  expect(events.find(({ type }) => type === 'approval')).toMatchObject({
    decision: 'denied',
    reason: expect.stringContaining(why) as string,
  })
})

test('if the client approves calls, no person is asked', async () => {
  const { service } = open([{ tool: tool('asked') }], { approval: 'client' })
  const call = { id: 'c', name: 'asked', arguments: {} }
  expect(await service.callTool(call, { signal, root: '/w' }, client)).toMatchObject({
    isError: false,
  })
})

test('live calls end with the service', async () => {
  let aborted = 0
  const live: Tool = {
    ...tool('live'),
    spawn: async () => ({
      started: withStatus(createSuccessResult([]), 'running'),
      fetch: async () => createSuccessResult([]),
      apply: async () => createSuccessResult([]),
      abort: async () => {
        aborted += 1
        return createSuccessResult([])
      },
    }),
  }
  const { service, close } = open([{ tool: live, policy: 'unattended' }])
  const call = { id: 'c', name: 'live', arguments: { action: 'spawn', id: 'a' } }
  await service.callTool(call, { signal, root: '/w' }, client)
  expect(aborted).toBe(0)
  await close()
  expect(aborted).toBe(1)
})

test('links are read by the server that returned them, until the client cancels', async () => {
  const server = await connectServer(
    { name: 'notes', transport: { kind: 'stdio', ...NOTES } },
    {},
    { startProgram },
  )
  onTestFinished(async () => await server.close())
  const entries: ToolEntry[] = server.tools().map((each) => ({ tool: each, policy: 'unattended' }))
  const { service } = open(entries, { servers: [server] })
  await service.callTool(
    { id: 'c', name: 'notes__list', arguments: {} },
    { signal, root: '/w' },
    client,
  )
  const read = async (uri: string, abortSignal: AbortSignal): Promise<unknown> =>
    await service.readResource?.(uri, abortSignal)
  expect(await read('note:///a', signal)).toMatchObject({ isError: false })
  expect(await read('note:///a', AbortSignal.abort())).toMatchObject({ isError: true })
  expect(await read('note:///c', signal)).toMatchObject({ isError: true })
})

test('a service has settled when the results of its calls are recorded, or a cancelled call does not end', async () => {
  const over = Promise.withResolvers<void>()
  const slow: Tool = {
    ...tool('slow'),
    execute: async () => {
      await over.promise
      return createSuccessResult([])
    },
  }
  const { service, settled, events } = open([{ tool: slow, policy: 'unattended' }])
  const call = { id: '1', name: 'slow', arguments: {} }
  const called = service.callTool(call, { root: '/w', signal }, client)
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  let isSettled = false
  const waiting = settled().then(() => (isSettled = true))
  await vi.advanceTimersByTimeAsync(2999)
  expect(isSettled).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  await waiting
  const last = settled()
  over.resolve()
  await last
  expect(events.at(-1)).toMatchObject({ type: 'tool_result' })
  await called
})

test('a call of a tool that is not offered is a turn of the record, and counts for the limits of the client', async () => {
  const limited: string[] = []
  const { service, events, close } = open([{ tool: tool('a'), policy: 'deny' }], {
    limitCall: async (call, run) => {
      limited.push(call.name)
      return limited.length > 1 ? createFailure('Too many calls') : await run()
    },
  })
  for (const name of ['a', 'b'])
    await service.onUnknownTool?.({ id: name, name, arguments: { x: 1 } })
  expect(limited).toEqual(['a', 'b'])
  await close()
  expect(events).toMatchObject([
    { type: 'configuration', values: { command: 'serve' } },
    { type: 'turn_start', turn: 1 },
    { type: 'tool_call', call: { id: 'a', name: 'a', arguments: {} } },
    {
      type: 'tool_result',
      result: {
        id: 'a',
        isError: true,
        content: [{ text: expect.stringContaining('is not offered a tool "a"') as string }],
      },
    },
    { type: 'configuration', values: { refused_calls_over_limit: 1 } },
  ])
})

test('parallel calls are one turn, and the next call begins another', async () => {
  const events: ConversationEvent[] = []
  const gates = [1, 2, 3].map(() => Promise.withResolvers<void>())
  const callTool = recordCalls(
    async ({ id }) => {
      await gates[Number(id)]?.promise
      return { id, ...createSuccessResult([]) }
    },
    { record: async (...more) => void events.push(...more), close: async () => {} },
    { folder: '/work' },
  )
  const call = (id: string) =>
    callTool({ id, name: 't', arguments: {} }, { root: '/', signal: new AbortController().signal })
  const both = [call('0'), call('1')]
  for (const { resolve } of gates) resolve()
  await Promise.all(both)
  await call('2')
  expect(
    events.map((event) => (event.type === 'turn_start' ? `turn ${event.turn}` : event.type)),
  ).toEqual([
    'configuration',
    'turn 1',
    'tool_call',
    'tool_call',
    'tool_result',
    'tool_result',
    'turn 2',
    'tool_call',
    'tool_result',
  ])
})

/** Lets everything run that needs no timer. */
async function settle(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate)
}

test('a call is recorded before it runs, its approval before it continues, and its result before it is answered', async () => {
  const log: string[] = []
  const asked: Tool = {
    ...tool('asked'),
    execute: async () => {
      log.push('runs')
      return createSuccessResult([])
    },
  }
  const { service, settled } = open([{ tool: asked, policy: 'ask' }], {
    approval: 'user',
    conversation: 'c',
    record: {
      record: async (...events) => {
        await settle(3)
        log.push(...events.map(({ type }) => type))
      },
      close: async () => {},
    },
  })
  const user = async (): Promise<{ action: 'accept'; value: true }> => ({
    action: 'accept',
    value: true,
  })
  const call = { id: 'x', name: 'asked', arguments: {} }
  await service.callTool(call, { signal, root: '/w', ask: { user } }, client)
  log.push('answered')
  expect(log.slice(log.indexOf('tool_call'))).toEqual([
    'tool_call',
    'approval',
    'runs',
    'tool_result',
    'answered',
  ])
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  await settled()
  expect(vi.getTimerCount()).toBe(0)
})

test('the results of running calls are waited for, and those of calls that ended, well or not, are not', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { promise: over, resolve: end } = Promise.withResolvers<void>()
  const held: Tool = {
    ...tool('held'),
    execute: async () => {
      await over
      return createSuccessResult([])
    },
  }
  const { service, settled } = open([{ tool: held, policy: 'unattended' }])
  const running = service.callTool(
    { id: 'x', name: 'held', arguments: {} },
    { signal, root: '/w' },
    client,
  )
  let isSettled = false
  const waiting = settled().then(() => (isSettled = true))
  await settle(3)
  expect(isSettled).toBe(false)
  end()
  await waiting
  expect(vi.getTimerCount()).toBe(0)
  await running
})
