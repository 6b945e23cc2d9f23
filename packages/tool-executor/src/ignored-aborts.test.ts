import {
  booleanQuestion,
  createSuccessResult,
  type Answer,
  type Approval,
  type CallContext,
  type LiveCall,
  type Tool,
  type ToolResult,
} from '@toolblocks/protocol'
import { PORT_GRACE_MS, TOOL_GRACE_MS } from '@toolblocks/protocol/internal'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createToolExecutor, type ToolExecutorOptions } from './create-tool-executor.ts'
import { makeCall, context, getText } from './executor.support.ts'
import type { ToolEntry } from './tool-entry.ts'

/** Settles when a caller waits for the promise that never settles. */
let begun = Promise.withResolvers<void>()
beforeEach(() => {
  begun = Promise.withResolvers<void>()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => void vi.useRealTimers())

/** Rejects long after all callers have gone. The rejection must not become unhandled. */
async function never(): Promise<never> {
  begun.resolve()
  await new Promise((resolve) => setTimeout(resolve, 60_000))
  throw new Error('too late')
}

const done = createSuccessResult([{ type: 'text', text: 'ran' }])
const asks: ToolResult = {
  content: [{ type: 'question', question: booleanQuestion({ id: 'q', text: 'Sure?' }) }],
  isError: false,
}
const tool = (more: Partial<Tool> = {}): Tool => ({
  name: 'one',
  inputSchema: { type: 'object' },
  execute: async () => done,
  ...more,
})

interface Setting {
  entry: ToolEntry
  options?: Partial<ToolExecutorOptions>
  ask?: CallContext['ask']
}

/** The result of a call whose signal aborts, and the milliseconds between the abort and the result. */
async function runAborted({ entry, options, ask }: Setting): Promise<[ToolResult, number]> {
  const executor = createToolExecutor({ tools: [entry], ...options })
  const host = new AbortController()
  const running = executor.execute(makeCall(entry.tool.name), {
    ...context,
    signal: host.signal,
    ...(ask && { ask }),
  })
  await begun.promise
  host.abort()
  let waited = 0
  const state = { isOver: false }
  void running.finally(() => (state.isOver = true))
  while (!state.isOver && waited < 30_000) {
    await vi.advanceTimersByTimeAsync(500)
    waited += 500
  }
  // A value that settles now is ignored.
  await vi.advanceTimersByTimeAsync(60_000)
  return [await running, waited]
}

test.for<[string, Setting, number, string]>([
  [
    'a tool',
    { entry: { tool: tool({ execute: never }), policy: 'unattended' } },
    TOOL_GRACE_MS,
    'the tool "one" did not settle within 6 s of the abort',
  ],
  [
    'who approves',
    { entry: { tool: tool() }, options: { approve: never } },
    PORT_GRACE_MS,
    'the approval of calls did not settle within 3 s',
  ],
  [
    'what decides by rules',
    {
      entry: { tool: tool() },
      options: { decide: never, approve: async () => ({ decision: 'allowed' }) },
    },
    PORT_GRACE_MS,
    'the decision by rules did not settle within 3 s',
  ],
  [
    'a tool that shows its call',
    {
      entry: { tool: tool({ formatArguments: never }) },
      options: { approve: async () => ({ decision: 'allowed' }) },
    },
    PORT_GRACE_MS,
    'the tool "one", which formats the call for a person, did not settle within 3 s',
  ],
  [
    'who answers',
    {
      entry: { tool: tool({ execute: async () => asks }), policy: 'unattended' },
      ask: { user: never },
    },
    PORT_GRACE_MS,
    'the answerer of "q" (user) did not settle within 3 s',
  ],
  [
    'a model that answers',
    {
      entry: {
        tool: tool({ execute: async () => asks }),
        policy: 'unattended',
        routes: { q: { target: 'assistant' } },
      },
      ask: { assistant: never },
    },
    PORT_GRACE_MS,
    'the answerer of "q" (assistant) did not settle within 3 s',
  ],
])(
  '%s that ignores the abort: the call is cancelled after its grace period and names it',
  async ([, setting, ms, who]) => {
    const [result, waited] = await runAborted(setting)
    expect(result.metadata?.outcome).toBe('cancelled')
    expect(result.metadata?.warnings).toMatchObject([
      { code: 'not-settled', message: expect.stringContaining(who) },
    ])
    expect(waited).toBeGreaterThanOrEqual(ms)
    expect(waited).toBeLessThanOrEqual(ms + 500)
  },
)

test('a recorder of questions that ignores the abort: the call is cancelled and names it', async () => {
  const entry: ToolEntry = { tool: tool({ execute: async () => asks }), policy: 'unattended' }
  const answer = async (): Promise<Answer> => ({ action: 'accept', value: true })
  const [result, waited] = await runAborted({
    entry,
    options: { recordInquiry: never },
    ask: { user: answer },
  })
  expect(result.metadata?.outcome).toBe('cancelled')
  expect(getText(result)).toContain(
    'the recorder of questions and answers did not settle within 3 s',
  )
  expect(waited).toBeGreaterThanOrEqual(PORT_GRACE_MS)
  expect(waited).toBeLessThanOrEqual(PORT_GRACE_MS + 500)
})

test('a person who ignores the abort of a question does not block other questions', async () => {
  const asked: string[] = []
  const executor = createToolExecutor({
    tools: [{ tool: tool() }, { tool: tool({ name: 'two' }) }],
    approve: async ({ name }): Promise<Approval> => {
      asked.push(name)
      return name === 'one' ? await never() : { decision: 'allowed' }
    },
  })
  const host = new AbortController()
  const first = executor.execute(makeCall('one'), { ...context, signal: host.signal })
  const second = executor.execute(makeCall('two'), context)
  await vi.advanceTimersByTimeAsync(1000)
  expect(asked).toEqual(['one'])
  host.abort()
  await vi.advanceTimersByTimeAsync(PORT_GRACE_MS)
  expect((await first).metadata?.outcome).toBe('cancelled')
  expect((await second).metadata?.outcome).toBe('completed')
  await vi.advanceTimersByTimeAsync(60_000)
})

test('the result of a tool that settles within its grace period is used', async () => {
  const execute: Tool['execute'] = async (_, { signal }) =>
    await new Promise((resolve) => {
      signal.addEventListener('abort', () => setTimeout(() => resolve(done), TOOL_GRACE_MS - 100))
      begun.resolve()
    })
  const [result] = await runAborted({ entry: { tool: tool({ execute }), policy: 'unattended' } })
  expect(result.metadata).toEqual({ outcome: 'completed' })
})

const running: ToolResult = { ...done, _meta: { 'computer.jp/status': 'running' } }
const live = (more: Partial<LiveCall> = {}): LiveCall => ({
  started: running,
  fetch: async () => running,
  apply: async () => running,
  abort: async () => done,
  ...more,
})

const actions = {
  fetch: { action: 'fetch', id: 'a' },
  apply: { action: 'apply', id: 'a', input: 'x' },
  abort: { action: 'abort', id: 'a' },
} as const

test.for(['fetch', 'apply', 'abort'] as const)(
  'a live call whose %s ignores the abort: the call is cancelled and names it, and the handle can be used again',
  async (member) => {
    const spawn: Tool['spawn'] = async () => live({ [member]: never })
    const executor = createToolExecutor({
      tools: [{ tool: tool({ spawn }), policy: 'unattended' }],
    })
    await executor.execute(makeCall('one', { action: 'spawn', id: 'a' }), context)
    const host = new AbortController()
    const acting = executor.execute(makeCall('one', actions[member]), {
      ...context,
      signal: host.signal,
    })
    await vi.advanceTimersByTimeAsync(10)
    host.abort()
    await vi.advanceTimersByTimeAsync(TOOL_GRACE_MS)
    const result = await acting
    expect(result.metadata).toMatchObject({
      outcome: 'cancelled',
      warnings: [{ code: 'not-settled', message: expect.stringContaining('the tool "one"') }],
    })
    const other = member === 'fetch' ? actions.apply : actions.fetch
    const next = await executor.execute(makeCall('one', other), context)
    expect(getText(next)).toContain(member === 'abort' ? 'has stopped already' : 'ran')
    const closing = executor.close()
    await vi.advanceTimersByTimeAsync(60_000)
    await closing
  },
)

test('a start that ignores the abort is refused after its grace period, and a late start is ended', async () => {
  const ended: string[] = []
  const spawn: Tool['spawn'] = async () => {
    await never().catch(() => undefined)
    return live({ abort: async () => (ended.push('late'), done) })
  }
  const executor = createToolExecutor({ tools: [{ tool: tool({ spawn }), policy: 'unattended' }] })
  const host = new AbortController()
  const spawning = executor.execute(makeCall('one', { action: 'spawn', id: 'a' }), {
    ...context,
    signal: host.signal,
  })
  await vi.advanceTimersByTimeAsync(10)
  host.abort()
  let isOver = false
  void spawning.finally(() => (isOver = true))
  await vi.advanceTimersByTimeAsync(TOOL_GRACE_MS - 1)
  expect(isOver).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect((await spawning).metadata).toMatchObject({
    outcome: 'cancelled',
    warnings: [{ code: 'not-settled' }],
  })
  expect(ended).toEqual([])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(ended).toEqual(['late'])
})

test('a live tool that does not end blocks neither the end of a turn nor the end of the executor', async () => {
  const spawn: Tool['spawn'] = async () => live({ abort: never, fetch: never })
  const executor = createToolExecutor({ tools: [{ tool: tool({ spawn }), policy: 'unattended' }] })
  for (const id of ['a', 'b'])
    await executor.execute(makeCall('one', { action: 'spawn', id }), context)
  const closing = executor.close()
  await vi.advanceTimersByTimeAsync(TOOL_GRACE_MS)
  await closing
  await vi.advanceTimersByTimeAsync(60_000)
})
