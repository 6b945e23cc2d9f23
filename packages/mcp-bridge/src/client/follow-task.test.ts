import type { JsonObject, ToolContext } from '@toolblocks/protocol'
import { expect, onTestFinished, test } from 'vitest'
import { answering, getContext } from '../testing/servers.support.ts'
import type { Loss, Reply } from '../wire/peer.ts'
import { describeFailure } from './failures.ts'
import { followTask } from './follow-task.ts'
import type { ServerHooks } from './mcp-server.ts'
import { type RunningCall, trackCalls } from './running-calls.ts'

const call = { id: 'c', name: 't', arguments: {} }
const text = (value: string): JsonObject => ({ content: [{ type: 'text', text: value }] })

/** Follows a task whose server sends these replies, one after the other. */
async function follow(
  created: JsonObject,
  replies: readonly (Reply | JsonObject)[],
  context: Partial<ToolContext> = {},
  {
    ended = Promise.race([]),
    hooks = {},
    limit = {},
  }: {
    ended?: Promise<Loss>
    hooks?: ServerHooks
    limit?: Partial<Pick<RunningCall, 'timeoutMs' | 'isTimeoutSet'>>
  } = {},
) {
  const calls = trackCalls()
  const running = calls.begin(call, getContext(context), {
    timeoutMs: 10_000,
    isTimeoutSet: false,
    isLive: false,
    ...limit,
  })
  onTestFinished(() => calls.end(running))
  const rest = replies.values()
  const sent: [string, JsonObject][] = []
  const request = async (method: string, params: JsonObject): Promise<Reply> => {
    sent.push([method, params])
    const next = rest.next().value ?? {}
    return 'kind' in next ? (next as Reply) : { kind: 'result', result: next }
  }
  const reply = await followTask(created, running, {
    asking: { server: 's', calls, hooks: { canAsk: true, ...hooks } },
    connection: {
      request,
      ended,
      endOfTask: async ({ id, status }) =>
        status === 'completed' || status === 'failed'
          ? await request('tasks/result', { taskId: id })
          : undefined,
    },
  })
  return { reply, sent }
}

const core = (status: string, more: JsonObject = {}) => ({
  taskId: 't1',
  status,
  pollInterval: 1,
  ...more,
})
const extension = (status: string, more: JsonObject = {}) => ({
  resultType: 'task',
  taskId: 't1',
  status,
  pollIntervalMs: 1,
  ...more,
})

test('a task of 2025-11-25 is polled and its result requested; its state is reported as progress', async () => {
  const seen: unknown[] = []
  const { reply, sent } = await follow(
    { task: core('working', { statusMessage: 'half' }) },
    [core('completed'), text('done')],
    {
      onProgress: ({ message }) => void seen.push(message),
    },
  )
  expect(reply).toEqual({ kind: 'result', result: text('done') })
  expect(sent).toEqual([
    ['tasks/get', { taskId: 't1' }],
    ['tasks/result', { taskId: 't1' }],
  ])
  expect(seen).toEqual(['half', 'Task completed'])
})

test('a failed task of 2025-11-25 also has a result: the text of the tool', async () => {
  const { reply } = await follow({ task: core('failed') }, [{ ...text('broken'), isError: true }])
  expect(reply).toMatchObject({ kind: 'result', result: { isError: true } })
})

test('a task of the extension contains its result', async () => {
  const { reply, sent } = await follow(extension('working'), [
    extension('completed', { result: text('done') }),
  ])
  expect(reply).toEqual({ kind: 'result', result: text('done') })
  expect(sent.length).toBe(1)
  const { reply: failed } = await follow(
    extension('failed', { error: { code: -32603, message: 'no' } }),
    [],
  )
  expect(failed).toEqual({ kind: 'error', code: -32603, message: 'no', hasBegun: true })
})

test.for<[string, Reply]>([
  [
    'the session is forgotten',
    {
      kind: 'loss',
      loss: { kind: 'session-expired', reason: 'gone', maybeExecuted: false, transient: true },
    },
  ],
  [
    'the connection has ended',
    {
      kind: 'loss',
      loss: { kind: 'closed', reason: 'gone', maybeExecuted: false, transient: false },
    },
  ],
  ['the server does not know the task', { kind: 'error', code: -32602, message: 'no task' }],
])('a call that became a task may have been executed, also if %s', async ([, answer]) => {
  const { reply } = await follow({ task: core('working') }, [answer])
  const name = { server: 's', tool: 't' }
  if (reply.kind === 'result') throw new Error('it has a result')
  const { metadata } = describeFailure(name, reply, { isOver: false, timeoutMs: 1 })
  expect(metadata).toMatchObject({ maybeExecuted: true })
})

test('a question of a task of the extension is answered once, even if it is repeated', async () => {
  const inputRequests = {
    who: {
      method: 'elicitation/create',
      params: {
        message: '?',
        requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
      },
    },
  }
  const { ask, asked } = answering(() => ({ action: 'accept', value: { name: 'Ann' } }))
  const { sent } = await follow(
    extension('input_required', { inputRequests }),
    [
      {},
      extension('input_required', { inputRequests }),
      extension('completed', { result: text('done') }),
    ],
    { ask },
  )
  expect(asked.length).toBe(1)
  expect(sent[0]).toEqual([
    'tasks/update',
    { taskId: 't1', inputResponses: { who: { action: 'accept', content: { name: 'Ann' } } } },
  ])
})

test('a task that its server cancelled is a loss', async () => {
  const { reply } = await follow({ task: core('cancelled', { statusMessage: 'out of time' }) }, [])
  expect(reply).toMatchObject({
    kind: 'loss',
    loss: {
      reason: 'the server cancelled its task',
      serverText: 'out of time',
      maybeExecuted: true,
    },
  })
})

test('a cancelled caller cancels the task and no longer waits', async () => {
  const { reply, sent } = await follow({ task: core('working', { pollInterval: 30_000 }) }, [], {
    signal: AbortSignal.abort(),
  })
  expect(reply).toEqual({ kind: 'aborted' })
  expect(sent).toEqual([['tasks/cancel', { taskId: 't1' }]])
})

test.for<[string, JsonObject, JsonObject[]]>([
  ['has no id', { task: { status: 'working' } }, []],
  ['is forgotten', { task: core('working') }, [{}]],
])('a task that %s is a loss', async ([, created, replies]) => {
  expect((await follow(created, replies)).reply.kind).toBe('loss')
})

const LOST: Reply = {
  kind: 'loss',
  loss: { kind: 'lost', reason: 'gone', maybeExecuted: true, transient: true },
}

test('requests about a task that were lost are sent again, and so the task is not', async () => {
  const inputRequests = {
    who: { method: 'elicitation/create', params: { message: '?', requestedSchema: {} } },
  }
  const { reply, sent } = await follow(extension('input_required', { inputRequests }), [
    LOST,
    {},
    LOST,
    extension('completed', { result: text('done') }),
  ])
  expect(reply).toEqual({ kind: 'result', result: text('done') })
  const methods = ['tasks/update', 'tasks/update', 'tasks/get', 'tasks/get']
  expect(sent.map(([method]) => method)).toEqual(methods)
  const earlier = await follow({ task: core('completed') }, [LOST, text('done')])
  expect(earlier.reply).toEqual({ kind: 'result', result: text('done') })
})

test('a task is lost with its connection', async () => {
  const loss: Loss = { kind: 'lost', reason: 'exited', maybeExecuted: true, transient: true }
  const ended = Promise.resolve(loss)
  const { reply, sent } = await follow(extension('working'), [LOST], {}, { ended })
  expect(reply).toEqual(LOST)
  expect(sent).toHaveLength(1)
})

test.for([
  ['that nobody follows ends after the', false, false, 'aborted'],
  ['that somebody follows has no', true, false, 'result'],
  ['that somebody follows ends after a configured', true, true, 'aborted'],
] as const)('a task %s time limit', async ([, isFollowed, isTimeoutSet, kind]) => {
  const { reply } = await follow(
    extension('working'),
    [extension('working'), extension('completed', { result: text('done') })],
    {},
    { hooks: { onTask: () => isFollowed }, limit: { timeoutMs: 300, isTimeoutSet } },
  )
  expect(reply.kind).toBe(kind)
})

test.for([
  ['the server', 'working'],
  ['a lost request', 'lost'],
] as const)(
  'a call that is cancelled during a pause of %s ends at once, after its server has answered the cancellation',
  async ([, how]) => {
    const ending = new AbortController()
    const steps: string[] = []
    const calls = trackCalls()
    const running = calls.begin(call, getContext({ signal: ending.signal }), {
      timeoutMs: 60_000,
      isTimeoutSet: true,
      isLive: false,
    })
    onTestFinished(() => calls.end(running))
    if (how === 'working') setImmediate(() => ending.abort())
    const reply = await followTask(
      extension('working', { pollIntervalMs: how === 'working' ? 30_000 : 1 }),
      running,
      {
        asking: { server: 's', calls, hooks: {} },
        connection: {
          ended: Promise.race([]),
          request: async (method) => {
            await new Promise(setImmediate)
            steps.push(method)
            setImmediate(() => ending.abort())
            return ending.signal.aborted
              ? { kind: 'aborted' }
              : {
                  kind: 'loss',
                  loss: { kind: 'lost', reason: 'x', maybeExecuted: false, transient: true },
                }
          },
        },
      },
    ).finally(() => steps.push('ended'))
    expect(reply).toEqual({ kind: 'aborted' })
    expect(steps.slice(-2)).toEqual(['tasks/cancel', 'ended'])
  },
)
