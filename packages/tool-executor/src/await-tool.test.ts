import { expect, test } from 'vitest'
import {
  createSuccessResult,
  type CallContext,
  type Status,
  type Tool,
  type ToolResult,
  withStatus,
} from '@toolblocks/protocol'
import { createToolExecutor } from './create-tool-executor.ts'

const context: CallContext = { signal: new AbortController().signal, root: '/home/ada' }
const says = (status: Status, text: string): ToolResult =>
  withStatus(createSuccessResult([{ type: 'text', text }]), status)

/** A stateful tool that stops after a given number of fetches. */
const counting: Tool = {
  name: 'count',
  inputSchema: { type: 'object', properties: { to: { type: 'integer' } } },
  execute: async () => createSuccessResult([]),
  spawn: async (call) => {
    let count = 0
    const next = (): ToolResult => {
      count += 1
      return says(count >= Number(call.arguments['to']) ? 'stopped' : 'running', `at ${count}`)
    }
    return {
      started: says('running', 'go'),
      fetch: async () => next(),
      apply: async () => next(),
      abort: async () => says('stopped', 'aborted'),
    }
  },
}

async function counters(counts: Record<string, number>) {
  const executor = createToolExecutor({ tools: [{ tool: counting, policy: 'unattended' }] })
  const run = (
    name: string,
    values: Record<string, unknown>,
    signal = context.signal,
  ): Promise<ToolResult> =>
    executor.execute({ id: '1', name, arguments: values }, { ...context, signal })
  for (const [id, to] of Object.entries(counts)) await run('count', { action: 'spawn', id, to })
  return {
    wait: (values: Record<string, unknown>, signal?: AbortSignal) => run('await', values, signal),
    run,
    executor,
  }
}

const getWords = (result: ToolResult): string[] =>
  result.content.map((block) => (block.type === 'text' ? block.text : ''))

test('all: waits until every handle has stopped, and returns the output of each', async () => {
  const { wait, run } = await counters({ a: 1, b: 2 })
  const result = await wait({ all: ['a', 'b'] })
  expect(result.structuredContent).toEqual({
    completed: [
      { id: 'a', status: 'stopped' },
      { id: 'b', status: 'stopped' },
    ],
    pending: [],
  })
  expect(getWords(result)).toEqual([
    '[handle "a": stopped]',
    'at 1',
    '[handle "b": stopped]',
    'at 1',
    'at 2',
  ])
  expect(getWords(await run('count', { action: 'fetch', id: 'a' })).join()).toContain(
    'stopped already',
  )
})

test('any: ends with the first that stops; the output of the others is in their next result', async () => {
  const { wait, run, executor } = await counters({ a: 1, b: 9 })
  const result = await wait({ any: ['a', 'b'] })
  expect(result.structuredContent).toEqual({
    completed: [{ id: 'a', status: 'stopped' }],
    pending: [{ id: 'b', status: 'running' }],
  })
  expect(getWords(await run('count', { action: 'fetch', id: 'b' }))).toEqual([
    '[handle "b": running]',
    'at 1',
    'at 2',
  ])
  await executor.close()
})

test('a timeout ends the waiting and aborts nothing', async () => {
  const { wait, executor } = await counters({ a: 1000 })
  const result = await wait({ all: ['a'], timeout_secs: 0.05 })
  expect(result).toMatchObject({
    isError: false,
    content: [],
    structuredContent: {
      completed: [],
      pending: [{ id: 'a', status: 'running' }],
      timed_out: true,
    },
  })
  await executor.close()
})

test('an abort cancels the waiting, and the awaited tools continue', async () => {
  const { wait, run, executor } = await counters({ a: 1000 })
  expect(await wait({ all: ['a'] }, AbortSignal.abort())).toMatchObject({
    isError: true,
    content: [{ text: 'Waiting for "a" was cancelled; the handles are still running.' }],
    metadata: { outcome: 'cancelled' },
  })
  expect(getWords(await run('count', { action: 'fetch', id: 'a' }))[0]).toContain('running')
  await executor.close()
})

test('an abort does not reach a running fetch', async () => {
  const fetching = Promise.withResolvers<AbortSignal>()
  const release = Promise.withResolvers<ToolResult>()
  const tool: Tool = {
    ...counting,
    spawn: async () => ({
      started: says('running', 'go'),
      fetch: async ({ signal }) => {
        fetching.resolve(signal)
        return await release.promise
      },
      apply: async () => says('running', ''),
      abort: async () => says('stopped', 'aborted'),
    }),
  }
  const executor = createToolExecutor({ tools: [{ tool, policy: 'unattended' }] })
  const run = (name: string, values: object, signal = context.signal): Promise<ToolResult> =>
    executor.execute({ id: '1', name, arguments: { ...values } }, { ...context, signal })
  await run('count', { action: 'spawn', id: 'a', to: 1 })
  const host = new AbortController()
  const waited = run('await', { all: ['a'] }, host.signal)
  const signal = await fetching.promise
  host.abort()
  expect((await waited).metadata?.outcome).toBe('cancelled')
  expect(signal.aborted).toBe(false)
  release.resolve(says('running', 'news'))
  expect(getWords(await run('count', { action: 'fetch', id: 'a' })).join()).toContain('news')
  await executor.close()
})

test('the error of a handle is the error of the waiting', async () => {
  const tool: Tool = {
    ...counting,
    spawn: async () => ({
      started: says('running', 'go'),
      fetch: async () => ({ ...says('stopped', 'no disk'), isError: true }),
      apply: async () => says('running', ''),
      abort: async () => says('stopped', 'aborted'),
    }),
  }
  const executor = createToolExecutor({ tools: [{ tool, policy: 'unattended' }] })
  const run = (name: string, values: object): Promise<ToolResult> =>
    executor.execute({ id: '1', name, arguments: { ...values } }, context)
  await run('count', { action: 'spawn', id: 'a', to: 1 })
  const result = await run('await', { all: ['a'] })
  expect(result).toMatchObject({
    isError: true,
    structuredContent: { completed: [{ id: 'a', status: 'stopped', isError: true }] },
  })
  expect(getWords(result)).toEqual(['[handle "a": stopped with an error]', 'no disk'])
})

const NAMELESS = { type: 'question', question: { id: '', text: 'Well?', schema: true } } as const

test.for(['stopped', 'running'] as const)(
  'a warning that occurred while waiting is reported once, with the message that the tool has %s',
  async (last) => {
    const warning = { path: '', message: 'a line was cut' }
    const odd: ToolResult = {
      content: [NAMELESS],
      isError: false,
      // A question without an id is omitted.
      _meta: { 'computer.jp/status': 'running' },
      metadata: { warnings: [warning] },
    }
    const host = new AbortController()
    const answers = last === 'stopped' ? [odd, odd].values() : [odd].values()
    const tool: Tool = {
      ...counting,
      spawn: async () => ({
        started: says('running', 'go'),
        fetch: async () => {
          // The wait for a running call is cancelled during a fetch.
          if (last === 'running') host.abort()
          return answers.next().value ?? says(last, 'done')
        },
        apply: async () => says('running', ''),
        abort: async () => says('stopped', 'aborted'),
      }),
    }
    const executor = createToolExecutor({ tools: [{ tool, policy: 'unattended' }] })
    const run = (name: string, values: object, signal = context.signal): Promise<ToolResult> =>
      executor.execute({ id: '1', name, arguments: { ...values } }, { ...context, signal })
    await run('count', { action: 'spawn', id: 'a', to: 1 })
    const waited = await run('await', { all: ['a'] }, host.signal)
    const fetched = last === 'stopped' ? waited : await run('count', { action: 'fetch', id: 'a' })
    expect(fetched.metadata?.warnings).toEqual([
      {
        path: '/content',
        message: 'a question without an id cannot be answered; it was omitted',
        code: 'inconsistent-result',
      },
      warning,
    ])
    await executor.close()
  },
)

test('warnings that occurred while waiting, and warnings of the last response, are both reported', async () => {
  const warn = (message: string) => ({ metadata: { warnings: [{ path: '', message }] } })
  const host = new AbortController()
  let fetched = 0
  const tool: Tool = {
    ...counting,
    spawn: async () => ({
      started: says('running', 'go'),
      fetch: async () => {
        fetched += 1
        host.abort()
        return { ...says('running', 'news'), ...warn(`odd ${fetched}`) }
      },
      apply: async () => says('running', ''),
      abort: async () => says('stopped', 'aborted'),
    }),
  }
  const executor = createToolExecutor({ tools: [{ tool, policy: 'unattended' }] })
  const run = (name: string, values: object, signal = context.signal): Promise<ToolResult> =>
    executor.execute({ id: '1', name, arguments: { ...values } }, { ...context, signal })
  await run('count', { action: 'spawn', id: 'a', to: 1 })
  await run('await', { all: ['a'] }, host.signal)
  const delivered = await run('count', { action: 'fetch', id: 'a' })
  expect(delivered.metadata?.warnings?.map(({ message }) => message)).toEqual(['odd 1', 'odd 2'])
  await executor.close()
})

test('a handle that has stopped already counts', async () => {
  const { wait } = await counters({ a: 1 })
  await wait({ all: ['a'] })
  const again = await wait({ all: ['a', 'a'], any: ['a'] })
  expect(again).toMatchObject({ content: [], isError: false })
  expect(again.structuredContent).toEqual({
    completed: [{ id: 'a', status: 'stopped' }],
    pending: [],
  })
})

test.for([
  [{}, 'name at least one handle in any or all'],
  [{ all: [] }, 'name at least one handle in any or all'],
  [{ all: ['x'] }, 'there is no handle "x"'],
  [{ any: ['y'] }, 'there is no handle "y"'],
] as const)('%j is refused with a reason', async ([values, message]) => {
  const { wait } = await counters({})
  const result = await wait(values)
  expect(result).toMatchObject({ isError: true, metadata: { outcome: 'failed' } })
  expect(getWords(result)).toEqual([`Nothing was done: ${message}.`])
})

test('a model is told which handles it may wait for, and how long', () => {
  const definitions = createToolExecutor({ tools: [{ tool: counting }] }).definitions()
  const ids = { type: 'array', items: { type: 'string' } }
  expect(definitions.at(-1)).toEqual({
    name: 'await',
    summary: 'Wait until running calls have stopped, and get their output.',
    inputSchema: {
      type: 'object',
      properties: {
        any: { ...ids, description: 'Handles; wait until one of them has stopped.' },
        all: { ...ids, description: 'Handles; wait until all of them have stopped.' },
        timeout_secs: { type: 'number', exclusiveMinimum: 0, description: 'Default: 60.' },
      },
      additionalProperties: false,
    },
  })
})
