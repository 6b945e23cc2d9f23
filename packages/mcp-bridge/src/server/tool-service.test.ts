import { once } from 'node:events'
import { type CallContext, type ToolResult } from '@toolblocks/protocol'
import { describe, expect, test } from 'vitest'
import { text, tool } from '../testing/served.support.ts'
import type { ServedClient } from './served-features.ts'
import { queueCalls, type ToolService } from './tool-service.ts'

const context: CallContext = { signal: new AbortController().signal, root: '/' }
const call = { id: 'c', name: 'tool', arguments: {} }
const client = (id: string): ServedClient => ({
  id,
  protocolVersion: '2025-11-25',
  capabilities: {},
  identity: '',
  request: async () => ({ kind: 'aborted' }),
  notify: () => undefined,
})
const one = client('one')

const service = (members: Pick<ToolService, 'callTool'> & Partial<ToolService>): ToolService => ({
  name: 's',
  version: '1',
  root: '/',
  definitions: () => [tool()],
  ...members,
})

/** A tool whose calls end when the test ends them. `started`: the clients of the calls in their order. */
function createHeld(): { callTool: ToolService['callTool']; started: string[]; end: () => void } {
  const started: string[] = []
  const open: (() => void)[] = []
  return {
    started,
    callTool: async (_call, _context, { id }) => {
      started.push(id)
      await new Promise<void>((resolve) => void open.push(resolve))
      return text('ran')
    },
    end: () => open.shift()?.(),
  }
}

/** Runs what is waiting in the queue of promises. */
const settle = async (): Promise<void> => await new Promise(setImmediate)

describe('calls that find no free place', () => {
  test('wait, report it, and take turns by clients, so that a client with many calls delays itself', async () => {
    const held = createHeld()
    const queued = queueCalls(service(held), { maxRunning: 1 })
    const messages: (string | undefined)[] = []
    const onProgress: CallContext['onProgress'] = ({ message }) => void messages.push(message)
    const order = ['flood', 'flood', 'flood', 'flood', 'one', 'two']
    const running = order.map(async (id) =>
      queued.callTool(call, { ...context, onProgress }, client(id)),
    )
    for (const _ of order) {
      await settle()
      held.end()
    }
    for (const each of await Promise.all(running)) expect(each).toMatchObject({ isError: false })
    expect(held.started).toEqual(['flood', 'flood', 'one', 'two', 'flood', 'flood'])
    expect(messages).toEqual([
      'waiting for a free place',
      'waiting for a free place, after 1 other calls of this client',
      'waiting for a free place, after 2 other calls of this client',
      'waiting for a free place',
      'waiting for a free place',
    ])
  })

  test('take no place that another client needs, though calls of one client never end', async () => {
    const held = createHeld()
    const queued = queueCalls(service(held), { maxRunning: 8 })
    const flood = Array.from({ length: 20 }, () => queued.callTool(call, context, client('flood')))
    await settle()
    expect(held.started).toHaveLength(6)
    const other = queued.callTool(call, context, client('other'))
    await settle()
    expect(held.started.slice(6)).toEqual(['other'])
    for (let left = flood.length + 1; left > 0; left -= 1) {
      held.end()
      await settle()
    }
    expect(await Promise.all([...flood, other])).toHaveLength(21)
  })

  test('are refused with an error of the protocol if too many calls of the client wait, and others are not', async () => {
    const held = createHeld()
    const queued = queueCalls(service(held), { maxRunning: 1, maxWaiting: 1 })
    const running = ['one', 'one'].map(async (id) => queued.callTool(call, context, client(id)))
    await settle()
    await expect(queued.callTool(call, context, one)).rejects.toMatchObject({
      code: -32_000,
      data: { retryAfterMs: 1000 },
    })
    running.push(queued.callTool(call, context, client('two')))
    for (const _ of running) {
      await settle()
      held.end()
    }
    expect(await Promise.all(running)).toHaveLength(3)
  })

  test('end with a result if they are cancelled, and the place goes to the next one', async () => {
    const held = createHeld()
    const queued = queueCalls(service(held), { maxRunning: 1 })
    const cancelling = new AbortController()
    const first = queued.callTool(call, context, one)
    const second = queued.callTool(call, { ...context, signal: cancelling.signal }, one)
    const third = queued.callTool(call, context, one)
    await settle()
    cancelling.abort()
    expect(await second).toMatchObject({ isError: true, metadata: { outcome: 'cancelled' } })
    held.end()
    await first
    await settle()
    held.end()
    expect(await third).toMatchObject({ isError: false })
    expect(held.started).toHaveLength(2)
  })
})

test('a call that waits for the answer of its client leaves its place to others', async () => {
  const answering = Promise.withResolvers<void>()
  const queued = queueCalls(
    service({
      callTool: async (toolCall, { ask, signal }) => {
        const { user } = ask ?? {}
        const request = { id: 'q', text: '?', schema: true }
        const source = { kind: 'question', call: toolCall } as const
        await user?.(request, { blocks: [], source, signal })
        return text('ran')
      },
      readResource: async () => text('read'),
    }),
    { maxRunning: 1 },
  )
  const user = async (): Promise<{ action: 'decline' }> => {
    await answering.promise
    return { action: 'decline' }
  }
  const asking = queued.callTool(call, { ...context, ask: { user } }, one)
  await settle()
  expect(await queued.callTool(call, context, client('two'))).toMatchObject({ isError: false })
  expect(await queued.readResource?.('x:y', context.signal)).toMatchObject({ isError: false })
  answering.resolve()
  expect(await asking).toMatchObject({ isError: false })
})

test('calls that throw also count as ended', async () => {
  const queued = queueCalls(
    service({
      callTool: async () => {
        throw new Error('no')
      },
    }),
    { maxRunning: 1 },
  )
  for (const _ of [1, 2, 3]) await expect(queued.callTool(call, context, one)).rejects.toThrow('no')
})

test('at the end of a service, calls that still run are cancelled, and answer', async () => {
  const queued = queueCalls(
    service({
      callTool: async (_call, { signal }): Promise<ToolResult> => {
        await once(signal, 'abort')
        return text('cancelled')
      },
    }),
  )
  const running = queued.callTool(call, context, one)
  await queued.finish({ graceMs: 0 })
  expect(await running).toMatchObject({ content: [{ text: 'cancelled' }] })
})

test('what a client opens is queued with the calls of all clients, and is its own', async () => {
  const held = createHeld()
  const closed: string[] = []
  const queued = queueCalls(
    {
      ...service(held),
      open: async ({ id }) => ({
        ...service(held),
        definitions: () => [tool({ name: id })],
        close: async () => void closed.push(id),
      }),
    },
    { maxRunning: 1 },
  )
  const { open = () => Promise.reject(new Error('no open')) } = queued
  const [first, second] = [await open(one), await open(client('two'))]
  expect(second.definitions()).toMatchObject([{ name: 'two' }])
  const running = [first.callTool(call, context, one), second.callTool(call, context, one)]
  await settle()
  expect(held.started).toHaveLength(1)
  for (const _ of running) {
    held.end()
    await settle()
  }
  await Promise.all(running)
  await second.close()
  expect(closed).toEqual(['two'])
})
