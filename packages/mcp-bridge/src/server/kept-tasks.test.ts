import { PassThrough } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import {
  type CallContext,
  type JsonObject,
  type ToolDefinition,
  isJsonObject,
} from '@toolblocks/protocol'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { McpServer } from '../client/mcp-server.ts'
import { serveStdio } from '../serve-stdio.ts'
import { getServerConfig, type Execute, serve, text, tool } from '../testing/served.support.ts'
import { connect } from '../testing/servers.support.ts'
import { META, VERSION } from '../testing/post-call.support.ts'
import type { Reply } from '../wire/peer.ts'
import { createServedTasks, hasEnded } from './served-tasks.ts'

const LONG: ToolDefinition = Object.assign(tool(), { execution: { taskSupport: 'optional' } })
const never = (): AbortSignal => new AbortController().signal
const form = { type: 'object', properties: { ok: { type: 'boolean' } } } as const
const YES = { action: 'accept', content: { ok: true } }

async function waitUntilAborted({ signal }: Pick<CallContext, 'signal'>): Promise<void> {
  await pause(60_000, undefined, { signal }).catch(() => undefined)
}

async function connectTo(
  execute: Execute,
  protocolVersion: '2025-11-25' | '2026-07-28',
  definition = LONG,
): Promise<McpServer> {
  const served = await serve(execute, { definitions: () => [definition] })
  return await connect({ ...getServerConfig(served), protocolVersion }, { canAsk: true })
}

function getResult(reply: Reply): JsonObject {
  if (reply.kind !== 'result' || !isJsonObject(reply.result)) throw new Error(JSON.stringify(reply))
  return reply.result
}

async function begin(server: McpServer, more: JsonObject = {}): Promise<string> {
  const params = { name: 'tool', arguments: {}, ...more }
  const created = getResult(await server.request('tools/call', params, { signal: never() }))
  const { taskId } = isJsonObject(created['task']) ? created['task'] : created
  return String(taskId)
}

/** Returns the keys of the open requests of a task. */
async function readOpen(server: McpServer, taskId: string): Promise<readonly string[]> {
  const task = getResult(await server.request('tasks/get', { taskId }, { signal: never() }))
  const { inputRequests } = task
  expect(task['status']).toBe(isJsonObject(inputRequests) ? 'input_required' : 'working')
  return Object.keys(isJsonObject(inputRequests) ? inputRequests : {})
}

test('a client of 2026-07-28 sees all open requests of a task, and none that the tool has taken back', async () => {
  const first = new AbortController()
  const later = Promise.withResolvers<void>()
  const server = await connectTo(async (call, { ask, signal }) => {
    const put = async (id: string, ending: AbortSignal): Promise<unknown> =>
      await ask?.user?.(
        { id, text: id, schema: form },
        { blocks: [], source: { kind: 'question', call }, signal: ending },
      )
    const answers = [put('a', first.signal)]
    await later.promise
    answers.push(put('b', signal))
    return text(JSON.stringify(await Promise.all(answers)))
  }, '2026-07-28')
  const taskId = await begin(server)
  await vi.waitFor(async () => expect(await readOpen(server, taskId)).toEqual(['a']))
  later.resolve()
  await vi.waitFor(async () => expect(await readOpen(server, taskId)).toEqual(['a', 'b']))
  first.abort()
  await vi.waitFor(async () => expect(await readOpen(server, taskId)).toEqual(['b']))
  const update = { taskId, inputResponses: { a: YES, b: YES } }
  await server.request('tasks/update', update, { signal: never() })
  await vi.waitFor(async () => {
    const reply = await server.request('tasks/get', { taskId }, { signal: never() })
    const all = [
      { action: 'cancel', reason: 'aborted' },
      { action: 'accept', value: { ok: true } },
    ]
    expect(getResult(reply)).toMatchObject({
      status: 'completed',
      result: { content: [{ text: JSON.stringify(all) }] },
    })
  })
})

test('a call that becomes a task tells its progress there, also if the request did not ask for it', async () => {
  const server = await connectTo(
    async (_call, { onProgress, signal }, { continueAsTask }) => {
      continueAsTask?.()
      await pause(50)
      onProgress?.({ message: 'half' })
      await waitUntilAborted({ signal })
      return text('late')
    },
    '2026-07-28',
    tool(),
  )
  const taskId = await begin(server)
  await vi.waitFor(async () => {
    const reply = await server.request('tasks/get', { taskId }, { signal: never() })
    expect(getResult(reply)).toMatchObject({ status: 'working', statusMessage: 'half' })
  })
})

test('a call that becomes long while it waits for an answer is a task from the next request on', async () => {
  const server = await connectTo(
    async (call, { ask, signal }, { continueAsTask }) => {
      setImmediate(() => setTimeout(() => continueAsTask?.(), 50))
      await ask?.user?.(
        { id: 'a', text: 'Ok?', schema: form },
        { blocks: [], source: { kind: 'question', call }, signal },
      )
      await waitUntilAborted({ signal })
      return text('late')
    },
    '2026-07-28',
    tool(),
  )
  const params = { name: 'tool', arguments: {} }
  const { requestState = '' } = getResult(
    await server.request('tools/call', params, { signal: never() }),
  )
  await pause(200)
  const answer = { ...params, requestState, inputResponses: { a: YES } }
  expect(getResult(await server.request('tools/call', answer, { signal: never() }))).toMatchObject({
    resultType: 'task',
  })
})

test('a task is not dropped while its client waits for its result', async () => {
  const server = await connectTo(async (_call, { signal }) => {
    await pause(2500, undefined, { signal })
    return text('done')
  }, '2025-11-25')
  const taskId = await begin(server, { task: { ttl: 1000 } })
  const result = await server.request('tasks/result', { taskId }, { signal: never() })
  expect(result).toMatchObject({ kind: 'result', result: { content: [{ text: 'done' }] } })
  await pause(1500)
  const asked = await server.request('tasks/get', { taskId }, { signal: never() })
  expect(asked).toMatchObject({ kind: 'error', code: -32_602 })
})

test('a task that is awaited is kept, and so is the time to live that it tells', async () => {
  const tasks = createServedTasks()
  onTestFinished(tasks.close)
  const [kept, left] = [tasks.begin('', 50), tasks.begin('', 50)]
  const stops = [tasks.keep(kept), tasks.keep(kept)]
  await pause(200)
  expect(hasEnded(left)).toBe(true)
  stops[0]?.()
  await pause(200)
  expect(hasEnded(kept)).toBe(false)
  const before = kept.askedAt
  tasks.change(kept, { status: 'input_required', inputRequests: {} })
  expect(kept.askedAt).not.toBe(before)
  expect(kept.askedAt).toEqual(kept.updatedAt)
  stops[1]?.()
  await vi.waitFor(() => expect(kept.state.status).toBe('cancelled'))
  expect(tasks.list()).toEqual([])
})

test('the oldest task that has ended makes room for a new one', async () => {
  const tasks = createServedTasks()
  onTestFinished(tasks.close)
  const all = Array.from({ length: 1000 }, () => tasks.begin(''))
  expect(() => tasks.begin('')).toThrow('The maximum of 1000 running tasks is reached.')
  const [first, second, third] = all
  if (!first || !second || !third) throw new Error('no tasks')
  await tasks.settle(second, Promise.resolve({}))
  await tasks.settle(third, Promise.resolve({}))
  tasks.begin('')
  expect(tasks.list()).toHaveLength(1000)
  expect(first.state.status).toBe('working')
  expect(tasks.find({ taskId: third.id }, '')).toBe(third)
  expect(() => tasks.find({ taskId: second.id }, '')).toThrow('Unknown task')
})

const statelessCall = (id: number, tasks: JsonObject): JsonObject => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: {
    name: 'tool',
    arguments: {},
    _meta: {
      [`${META}/protocolVersion`]: VERSION,
      [`${META}/clientCapabilities`]: { elicitation: {}, ...tasks },
    },
  },
})

test.for([
  ['runs as a task', { extensions: { [`${META}/tasks`]: {} } }, 'task'],
  ['waits for the next request of its client', {}, 'input_required'],
] as const)(
  'a call that %s ends when the standard input of its client ends',
  async ([, tasks, resultType]) => {
    const [input, output] = [new PassThrough(), new PassThrough()]
    const signals: AbortSignal[] = []
    const served = await serveStdio(
      {
        name: 'ours',
        version: '1',
        root: '/',
        definitions: () => [LONG],
        callTool: async (call, { ask, signal }) => {
          signals.push(signal)
          await ask?.user?.(
            { id: 'a', text: 'Ok?', schema: form },
            { blocks: [], source: { kind: 'question', call }, signal },
          )
          return text('done')
        },
      },
      { input, output },
    )
    input.write(`${JSON.stringify(statelessCall(1, tasks))}\n`)
    await vi.waitFor(() => expect(String(output.read() ?? '')).toContain(resultType))
    input.end()
    await served.closed
    await vi.waitFor(() => expect(signals.map(({ aborted }) => aborted)).toEqual([true]))
  },
)

test('a call that begins to wait while the server closes is cancelled after the grace', async () => {
  const signals: AbortSignal[] = []
  const asked = Promise.withResolvers<void>()
  const served = await serve(async (call, { ask, signal }) => {
    signals.push(signal)
    await asked.promise
    await ask?.user?.(
      { id: 'a', text: 'Ok?', schema: form },
      { blocks: [], source: { kind: 'question', call }, signal },
    )
    await waitUntilAborted({ signal })
    return text('late')
  })
  const server = await connect(
    { ...getServerConfig(served), protocolVersion: '2026-07-28' },
    { canAsk: true },
  )
  const params = { name: 'tool', arguments: {} }
  const answered = server.request('tools/call', params, { signal: never() })
  await vi.waitFor(() => expect(signals).toHaveLength(1))
  const closed = served.close({ graceMs: 300 })
  asked.resolve()
  expect(await answered).toMatchObject({ result: { resultType: 'input_required' } })
  expect(signals[0]?.aborted).toBe(false)
  await closed
  expect(signals[0]?.aborted).toBe(true)
})
