import { RequestEnded, type ServedClient } from '@toolblocks/mcp-bridge/server'
import { type CallContext, createSuccessResult, type ToolResult } from '@toolblocks/protocol'
import { expect, test, vi } from 'vitest'
import { createKeptCalls } from './kept-call.ts'
import { keepCalls, type KeepOptions } from './keep-calls.ts'

const CLIENT: ServedClient = {
  id: 'c',
  protocolVersion: '2025-11-25',
  capabilities: {},
  identity: '',
  info: { name: 'host' },
  request: async () => ({ kind: 'aborted' }),
  notify: () => undefined,
}

interface Execution {
  id: string
  text: string
  context: CallContext
  end(text: string): void
}

/** Calls that run until the test ends them. */
function open(options: Partial<KeepOptions> = {}) {
  const executions: Execution[] = []
  const recorded: [string, string][] = []
  const kept = keepCalls(
    async (call, context) => {
      const { promise, resolve } = Promise.withResolvers<ToolResult>()
      const end = (text: string): void => resolve(toResult(text))
      executions.push({ id: call.id, text: JSON.stringify(call.arguments), context, end })
      context.signal.addEventListener('abort', () => end('ended early'))
      return await promise
    },
    {
      calls: createKeptCalls(),
      getLimits: () => ({ runningMs: 20, waitingMs: 20 }),
      scope: 's',
      findDefinition: (name) => ({ name, inputSchema: {} }),
      getDefinition: () => '',
      awaits: () => 'none',
      findTool: () => undefined,
      recordAnswered: async ({ id }, _, answer) => {
        const result = await answer()
        recorded.push([id, getText(result)])
        return result
      },
      connect: (_, { context }) => context,
      ...options,
    },
  )
  let calls = 0
  const call = async (
    values: Readonly<Record<string, unknown>> = {},
    {
      name = 'write',
      client = CLIENT,
      ...context
    }: { name?: string; client?: ServedClient } & Partial<CallContext> = {},
  ): Promise<string> => {
    calls += 1
    const request = { root: '/', signal: new AbortController().signal, ...context }
    return getText(
      await kept.callTool({ id: `call-${calls}`, name, arguments: values }, request, client),
    )
  }
  return { ...kept, call, executions, recorded }
}

function toResult(text: string): ToolResult {
  return createSuccessResult([{ type: 'text', text }])
}

function getText({ content }: ToolResult): string {
  return content.map((block) => (block.type === 'text' ? block.text : block.type)).join('\n')
}

test('a call that takes longer than its client waits continues, and await gets its result once', async () => {
  const { call, executions, recorded } = open()
  const progress: unknown[] = []
  const first = call({}, { onProgress: (each) => progress.push(each) })
  executions[0]?.context.onProgress?.({ progress: 3, total: 10, message: 'writing' })
  expect(await first).toMatch(/^The call of "write" is still running after 0 s \(3\/10: writing\)/)
  expect(await first).toContain('call await with {"any":["call-1"]}')
  expect(progress).toEqual([{ progress: 3, total: 10, message: 'writing' }])
  const waiting = call({ any: ['call-1'] }, { name: 'await' })
  executions[0]?.end('written')
  expect(await waiting).toBe('written')
  expect(await call({ all: ['call-1'] }, { name: 'await' })).toContain(
    'No call waits under "call-1"',
  )
  expect(executions).toHaveLength(1)
  expect(recorded.map(([id]) => id)).toEqual(['call-2', 'call-3'])
})

test('the same call after its client stopped to wait gets the result of the first, and a further one is executed', async () => {
  const { call, executions } = open()
  expect(await call({ path: 'a' })).toContain('still running')
  const again = call({ path: 'a' })
  executions[0]?.end('first')
  expect(await again).toMatch(/^first\nThis is the result of the same call, made at \d{4}-/)
  const third = call({ path: 'a' })
  executions[1]?.end('second')
  expect(await third).toBe('second')
  expect(executions.map(({ id }) => id)).toEqual(['call-1', 'call-3'])
})

test('a request that timed out or was lost leaves a call that does harm, and one that a person cancelled ends it', async () => {
  for (const kind of ['timed-out', 'lost'] as const) {
    const { call, executions } = open({ getLimits: () => FOREVER })
    const request = new AbortController()
    const first = call({}, { signal: request.signal })
    request.abort(new RequestEnded(kind))
    await first
    expect(executions[0]?.context.signal.aborted).toBe(false)
    executions[0]?.end('done')
    expect(await call({})).toContain('It was not made again')
    expect(executions).toHaveLength(1)
  }
  for (const reason of [new RequestEnded('cancelled'), undefined]) {
    const { call, executions } = open({ getLimits: () => FOREVER })
    const request = new AbortController()
    const first = call({}, { signal: request.signal })
    request.abort(reason)
    expect(await first).toBe('ended early')
    void call({})
    await vi.waitFor(() => expect(executions).toHaveLength(2))
  }
})

test.for([{ readOnlyHint: true }, { idempotentHint: true }])(
  'a call of a tool with %j ends with its request, and is executed again',
  async (annotations) => {
    const { call, executions } = open({
      getLimits: () => FOREVER,
      findTool: () => ({ annotations }),
    })
    const request = new AbortController()
    const first = call({}, { signal: request.signal })
    request.abort(new RequestEnded('timed-out'))
    expect(await first).toBe('ended early')
    const second = call({})
    executions[1]?.end('second')
    expect(await second).toBe('second')
  },
)

test('equal calls at the same time, of other clients, names or arguments, are calls of their own', async () => {
  const { call, executions } = open({ getLimits: () => FOREVER })
  const all = [
    call({ path: 'a' }),
    call({ path: 'a' }),
    call({ path: 'b' }),
    call({ path: 'a' }, { name: 'other' }),
    call({ path: 'a' }, { client: { ...CLIENT, info: { name: 'second host' } } }),
  ]
  await vi.waitFor(() => expect(executions).toHaveLength(5))
  for (const [index, { end }] of executions.entries()) end(String(index))
  expect(await Promise.all(all)).toEqual(['0', '1', '2', '3', '4'])
})

test('a client that follows tasks is told to follow a long call, and gets its result', async () => {
  const { call, executions } = open()
  let followed = 0
  const client = {
    ...CLIENT,
    continueAsTask: () => {
      followed += 1
      executions[0]?.end('late')
    },
  }
  expect(await call({}, { client })).toBe('late')
  expect(followed).toBe(1)
})

test('await waits for one or for all of several calls, and names those that still run', async () => {
  const { call, executions } = open({ getLimits: () => ({ runningMs: 200, waitingMs: 200 }) })
  const both = [call({ path: 'a' }), call({ path: 'b' })]
  await Promise.all(both)
  executions[1]?.end('two')
  const any = await call({ any: ['call-1', 'call-2'] }, { name: 'await' })
  expect(any).toContain('[call call-1 of write: still running; call await again]')
  expect(any).toContain('[call call-2 of write: ended]\ntwo')
  const all = call({ all: ['call-1'] }, { name: 'await' })
  executions[0]?.end('one')
  expect(await all).toBe('one')
  expect(await call({}, { name: 'await' })).toContain('Name at least one call')
})

test('a service that ends cancels the calls that continue', async () => {
  const { call, executions, end, isBusy } = open()
  await call({})
  expect(isBusy()).toBe(true)
  const ended = end()
  await vi.waitFor(() => expect(executions[0]?.context.signal.aborted).toBe(true), 5000)
  await ended
  expect(isBusy()).toBe(false)
})

test('of the calls of one client that continue, there are at most a hundred', async () => {
  const { call, executions } = open({ getLimits: () => ({ runningMs: 0, waitingMs: 0 }) })
  for (let path = 0; path < 100; path += 1) await call({ path })
  expect(await call({ path: 100 })).toContain('100 calls of this client run or wait')
  expect(executions.map(({ context }) => context.signal.aborted).indexOf(true)).toBe(100)
  executions[0]?.end('done')
  await call({ path: 0 })
  expect(await call({ path: 101 })).toContain('still running')
})

test('of several repetitions at once, one gets the result, and the others are new calls', async () => {
  const { call, executions } = open({ getLimits: () => FOREVER })
  const request = new AbortController()
  const first = call({}, { signal: request.signal })
  request.abort(new RequestEnded('timed-out'))
  await first
  executions[0]?.end('first')
  const again = [call({}), call({}), call({})]
  await vi.waitFor(() => expect(executions).toHaveLength(3))
  for (const { end } of executions) end('later')
  const texts = await Promise.all(again)
  expect(texts.filter((text) => text.startsWith('first'))).toHaveLength(1)
  expect(texts.filter((text) => text === 'later')).toHaveLength(2)
})

test('the results of all calls that may continue are kept until their client takes them', async () => {
  const { call, executions } = open({ getLimits: () => ({ runningMs: 0, waitingMs: 0 }) })
  for (let path = 0; path < 100; path += 1) await call({ path })
  for (const [index, { end }] of executions.entries()) end(`result ${index}`)
  await call({ path: 'another' })
  expect(await call({ all: ['call-1'] }, { name: 'await' })).toBe('result 0')
  expect(await call({ path: 1 })).toContain('result 1\n')
})

test('while the store fails, calls still run', async () => {
  const failing = async (): Promise<never> => {
    throw new Error('the disk is full')
  }
  const parked = { save: failing, forget: failing, claim: failing, end: failing, close: failing }
  const { call, executions, end } = open({ parked })
  expect(await call({})).toContain('still running')
  const again = call({})
  executions[0]?.end('done')
  expect(await again).toContain('done')
  await end()
})

const FOREVER = { runningMs: Infinity, waitingMs: Infinity }
