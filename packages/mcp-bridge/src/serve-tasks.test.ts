import { setTimeout as pause } from 'node:timers/promises'
import {
  createFailure,
  type JsonObject,
  type ToolDefinition,
  isJsonObject,
} from '@toolblocks/protocol'
import { describe, expect, test, vi } from 'vitest'
import type { McpServer, ServerHooks } from './client/mcp-server.ts'
import { createGateway } from './gateway.ts'
import { serveSession } from './server/serve-session.ts'
import { openPeer, type Reply } from './wire/peer.ts'
import { postCall } from './testing/post-call.support.ts'
import { getServerConfig, type Execute, serve, text, tool } from './testing/served.support.ts'
import { answering, call, connect, firstText, getContext } from './testing/servers.support.ts'

/** A tool whose calls may, or should, be followed as tasks. */
const long = (taskSupport: 'optional' | 'required'): ToolDefinition =>
  Object.assign(tool(), { execution: { taskSupport } })
const LONG = long('optional')
const never = (): AbortSignal => new AbortController().signal

/** Asks for a name, and returns it. */
const greets: Execute = async (toolCall, { ask, signal, onProgress }) => {
  onProgress?.({ progress: 1, message: 'asking' })
  const answer = await ask?.user?.(
    { id: 'who', text: 'Who?', schema: { type: 'string' } },
    { blocks: [], source: { kind: 'question', call: toolCall }, signal },
  )
  return text(`Hello ${answer?.action === 'accept' ? JSON.stringify(answer.value) : 'nobody'}.`)
}

/** Ends when it is cancelled. */
const waits: Execute = async (_call, { signal }) => {
  await pause(60_000, undefined, { signal }).catch(() => undefined)
  return text('late')
}

function getResult(reply: Reply): JsonObject {
  if (reply.kind !== 'result' || !isJsonObject(reply.result)) throw new Error(JSON.stringify(reply))
  return reply.result
}

/** Requests the state of a task until it is this one. */
async function poll(server: McpServer, taskId: unknown, status: string): Promise<JsonObject> {
  return await vi.waitFor(
    async () => {
      const params = { taskId: String(taskId) }
      const task = getResult(await server.request('tasks/get', params, { signal: never() }))
      expect(task['status']).toBe(status)
      return task
    },
    { timeout: 10_000, interval: 20 },
  )
}

describe.for(['2025-11-25', '2026-07-28'] as const)('a client of MCP %s', (protocolVersion) => {
  test('follows a call as a task to its result, and answers its question', async () => {
    const served = await serve(greets, { definitions: () => [long('required')] })
    const server = await connect({ ...getServerConfig(served), protocolVersion }, { canAsk: true })
    const { ask, asked } = answering(() => ({ action: 'accept', value: { value: 'Ann' } }))
    const messages: unknown[] = []
    const result = await call(
      server,
      'tool',
      {},
      { ask, onProgress: (report) => void messages.push(report) },
    )
    expect(firstText(result)).toBe('Hello "Ann".')
    expect(asked.map(({ request }) => request.text)).toEqual(['Who?'])
    expect(messages).toContainEqual(expect.objectContaining({ message: 'asking' }))
  })
})

describe('a client of MCP 2025-11-25', () => {
  const CALL = { name: 'tool', arguments: {}, task: { ttl: 60_000 } }

  async function connectSession(
    execute: Execute,
    definition = LONG,
    canAsk = false,
  ): Promise<(method: string, params: JsonObject) => Promise<Reply>> {
    const served = await serve(execute, { definitions: () => [definition] })
    const server = await connect(
      { ...getServerConfig(served), protocolVersion: '2025-11-25' },
      { canAsk },
    )
    return async (method, params) => await server.request(method, params, { signal: never() })
  }

  function getTaskId(reply: Reply): string {
    const { task } = getResult(reply)
    return isJsonObject(task) ? String(task['taskId']) : ''
  }

  test('requests the result of a task, which is the result of the call, any number of times', async () => {
    const request = await connectSession(async () => text('done'))
    const created = getResult(await request('tools/call', CALL))
    expect(created).toEqual({
      task: {
        taskId: expect.any(String),
        status: 'working',
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        lastUpdatedAt: expect.any(String),
        ttl: 60_000,
        pollInterval: 250,
      },
    })
    const taskId = getTaskId({ kind: 'result', result: created })
    const expected = {
      content: [{ type: 'text', text: 'done' }],
      _meta: { 'io.modelcontextprotocol/related-task': { taskId } },
    }
    expect(getResult(await request('tasks/result', { taskId }))).toMatchObject(expected)
    expect(getResult(await request('tasks/result', { taskId }))).toMatchObject(expected)
    expect(getResult(await request('tasks/list', {}))).toMatchObject({
      tasks: [{ taskId, status: 'completed' }],
    })
  })

  test('sees a tool that failed as a failed task, with the text of the tool', async () => {
    const request = await connectSession(async () => createFailure('broken', 'failed'))
    const taskId = getTaskId(await request('tools/call', CALL))
    expect(getResult(await request('tasks/result', { taskId }))).toMatchObject({ isError: true })
    expect(getResult(await request('tasks/get', { taskId }))['status']).toBe('failed')
  })

  test('receives the error of a call that could not run', async () => {
    const request = await connectSession(async () => {
      throw Object.assign(new Error('no disk'), { code: -32_050 })
    })
    const taskId = getTaskId(await request('tools/call', CALL))
    expect(await request('tasks/result', { taskId })).toMatchObject({
      kind: 'error',
      code: -32_050,
      message: 'no disk',
    })
  })

  test('cancels a task once, and its tool ends', async () => {
    const aborted: boolean[] = []
    const request = await connectSession(async (toolCall, context, client) => {
      const result = await waits(toolCall, context, client)
      aborted.push(context.signal.aborted)
      return result
    })
    const taskId = getTaskId(await request('tools/call', CALL))
    const result = request('tasks/result', { taskId })
    expect(getResult(await request('tasks/cancel', { taskId }))['status']).toBe('cancelled')
    expect(await result).toMatchObject({ kind: 'error', code: -32_603 })
    expect(aborted).toEqual([true])
    expect(await request('tasks/cancel', { taskId })).toMatchObject({
      kind: 'error',
      code: -32_602,
    })
  })

  test.for([
    ['a tool that has no tasks', tool(), CALL, -32_601],
    ['an unknown tool', LONG, { ...CALL, name: 'other' }, -32_602],
  ] as const)('gets an error for a task of %s', async ([, definition, params, code]) => {
    const request = await connectSession(async () => text('ran'), definition)
    expect(await request('tools/call', params)).toMatchObject({ kind: 'error', code })
  })

  test.for(['tasks/get', 'tasks/result', 'tasks/cancel'])(
    'gets an error for %s of a task that it does not have',
    async (method) => {
      const served = await serve(async () => text('done'), { definitions: () => [LONG] })
      const [own, other] = await Promise.all(
        ['a', 'b'].map(
          async () => await connect({ ...getServerConfig(served), protocolVersion: '2025-11-25' }),
        ),
      )
      const signal = never()
      const created = await own?.request('tools/call', CALL, { signal })
      const taskId = created ? getTaskId(created) : ''
      expect(await other?.request(method, { taskId }, { signal })).toMatchObject({
        kind: 'error',
        code: -32_602,
      })
      expect(await other?.request('tasks/list', {}, { signal })).toEqual({
        kind: 'result',
        result: { tasks: [] },
      })
    },
  )

  test('of an earlier version waits for the result of its call', async () => {
    const session = serveSession(
      {
        name: 'ours',
        version: '1',
        root: '/',
        definitions: () => [LONG],
        callTool: async () => text('done'),
      },
      { identity: '' },
    )
    const peer = openPeer(
      { start: () => undefined, send: async () => undefined, close: async () => undefined },
      { onRequest: async () => ({}), onNotification: () => undefined },
    )
    const ask = async (method: string, params: JsonObject): Promise<JsonObject> =>
      await session.answer({ id: 1, method, params, signal: never() }, peer)
    const offer = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: {} }
    expect(await ask('initialize', offer)).toMatchObject({
      capabilities: { tools: { listChanged: true } },
    })
    expect(await ask('tools/call', CALL)).toMatchObject({
      content: [{ type: 'text', text: 'done' }],
    })
    await expect(ask('tasks/list', {})).rejects.toMatchObject({ code: -32_601 })
  })
})

describe('a client of MCP 2026-07-28', () => {
  async function connectStateless(
    execute: Execute,
    definition = LONG,
    hooks: ServerHooks = {},
  ): Promise<McpServer> {
    const served = await serve(execute, { definitions: () => [definition] })
    return await connect(
      { ...getServerConfig(served), protocolVersion: '2026-07-28' },
      { canAsk: true, ...hooks },
    )
  }

  async function begin(server: McpServer): Promise<JsonObject> {
    const params = { name: 'tool', arguments: {} }
    return getResult(await server.request('tools/call', params, { signal: never() }))
  }

  test('answers the requests of a task in any number of updates; keys are not used again', async () => {
    const server = await connectStateless(async (toolCall, { ask, signal }) => {
      const put = async (): Promise<unknown> =>
        await ask?.user?.(
          { id: 'ok', text: 'Ok?', schema: { type: 'boolean' } },
          { blocks: [], source: { kind: 'question', call: toolCall }, signal },
        )
      return text(JSON.stringify([await Promise.all([put(), put()]), await put()]))
    })
    const { taskId } = await begin(server)
    const update = async (inputResponses: JsonObject): Promise<JsonObject> =>
      getResult(
        await server.request(
          'tasks/update',
          { taskId: String(taskId), inputResponses },
          { signal: never() },
        ),
      )
    const yes = { action: 'accept', content: { value: true } }
    const first = await poll(server, taskId, 'input_required')
    expect(Object.keys(first['inputRequests'] ?? {})).toEqual(['ok', 'ok-2'])
    expect(await update({ ok: yes, unknown: yes })).toMatchObject({ resultType: 'complete' })
    const second = await poll(server, taskId, 'input_required')
    expect(Object.keys(second['inputRequests'] ?? {})).toEqual(['ok-2'])
    await update({ 'ok-2': { action: 'decline' } })
    const third = await poll(server, taskId, 'input_required')
    expect(Object.keys(third['inputRequests'] ?? {})).toEqual(['ok-3'])
    await update({ ok: yes, 'ok-3': yes })
    const { result } = await poll(server, taskId, 'completed')
    const accepted = { action: 'accept', value: true }
    const all = JSON.stringify([[accepted, { action: 'decline' }], accepted])
    expect(result).toMatchObject({ content: [{ type: 'text', text: all }] })
  })

  test('hears of the changes of its tasks on a stream', async () => {
    const { promise: go, resolve: proceed } = Promise.withResolvers<void>()
    const heard: [string, JsonObject][] = []
    const execute: Execute = async () => {
      await go
      return text('done')
    }
    const server = await connectStateless(execute, LONG, {
      onNotification: (method, params) => {
        if (JSON.stringify(params).includes('task')) heard.push([method, params])
      },
    })
    const { taskId } = await begin(server)
    await begin(server)
    const stopping = new AbortController()
    const listening = server.request(
      'subscriptions/listen',
      { notifications: { taskIds: [String(taskId), 'unknown'] } },
      { signal: stopping.signal },
    )
    await vi.waitFor(() => expect(heard).toHaveLength(2))
    proceed()
    await vi.waitFor(() => expect(heard).toHaveLength(3))
    stopping.abort()
    expect(await listening).toMatchObject({ kind: 'aborted' })
    expect(heard).toMatchObject([
      ['notifications/subscriptions/acknowledged', { notifications: { taskIds: [taskId] } }],
      ['notifications/tasks', { taskId, status: 'working' }],
      [
        'notifications/tasks',
        {
          taskId,
          status: 'completed',
          result: { content: [{ type: 'text', text: 'done' }] },
        },
      ],
    ])
  })

  test('that does not declare tasks waits for the result, and cannot ask about tasks', async () => {
    const served = await serve(async () => text('done'), { definitions: () => [LONG] })
    expect(await postCall(served, { arguments: {} })).toMatchObject({
      result: { resultType: 'complete', content: [{ type: 'text', text: 'done' }] },
    })
    const asked = { method: 'tasks/get', headers: { 'mcp-method': 'tasks/get', 'mcp-name': 'x' } }
    expect(await postCall(served, { taskId: 'x' }, asked)).toMatchObject({
      error: {
        code: -32_021,
        data: { requiredCapabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } } },
      },
    })
  })

  test.for(['tasks/get', 'tasks/update', 'tasks/cancel'])(
    'gets an error for %s of a task of another client',
    async (method) => {
      const signals: AbortSignal[] = []
      const served = await serve(
        async (toolCall, context, client) => {
          signals.push(context.signal)
          return await waits(toolCall, context, client)
        },
        { definitions: () => [LONG] },
      )
      const extensions = { 'io.modelcontextprotocol/tasks': {} }
      const created = await postCall(served, { arguments: {} }, { client: 'one', extensions })
      const taskId = String(isJsonObject(created['result']) && created['result']['taskId'])
      const ask = async (client: string, asked: string): Promise<JsonObject> => {
        const headers = { 'mcp-method': asked, 'mcp-name': taskId }
        return await postCall(served, { taskId }, { client, extensions, method: asked, headers })
      }
      expect(await ask('another', method)).toMatchObject({
        error: { code: -32_602, message: `Unknown task: ${taskId}` },
      })
      expect(signals.map(({ aborted }) => aborted)).toEqual([false])
      expect(await ask('one', 'tasks/get')).toMatchObject({ result: { status: 'working' } })
    },
  )

  test('cancels a task, and its tool ends', async () => {
    const ended: string[] = []
    const server = await connectStateless(async (toolCall, context, client) => {
      const result = await waits(toolCall, context, client)
      ended.push(toolCall.name)
      return result
    })
    const { taskId } = await begin(server)
    const params = { taskId: String(taskId) }
    const cancel = async (): Promise<Reply> =>
      await server.request('tasks/cancel', params, { signal: never() })
    expect(getResult(await cancel())).not.toHaveProperty('status')
    await poll(server, taskId, 'cancelled')
    expect(ended).toEqual(['tool'])
    expect(getResult(await cancel())).toMatchObject({ resultType: 'complete' })
  })

  test('follows what a server behind a gateway works on as a task, after the questions before it', async () => {
    const gateway = createGateway({ capabilities: { elicitation: {} } })
    // A server that decides during the call.
    const upstream = await serve(async (toolCall, context, client) => {
      const result = await greets(toolCall, context, client)
      client.continueAsTask?.()
      await pause(50)
      return result
    })
    const behind = await connect(
      { ...getServerConfig(upstream), protocolVersion: '2026-07-28', toolNames: 'own' },
      gateway.createHooks('ours'),
    )
    gateway.setServers([behind])
    const front = await serve(
      gateway.during(async (toolCall, { ask, signal }) => {
        const [only] = behind.tools()
        if (!only) throw new Error('no tool')
        return await only.execute(
          toolCall,
          getContext({ signal, ...(ask?.user && { ask: ask.user }) }),
        )
      }),
      { definitions: () => behind.tools(), features: gateway.features },
    )
    const server = await connect(
      { ...getServerConfig(front), protocolVersion: '2026-07-28' },
      { canAsk: true },
    )
    const request = async (params: JsonObject): Promise<JsonObject> =>
      getResult(await server.request('tools/call', params, { signal: never() }))
    const asked = await request({ name: 'tool', arguments: {} })
    expect(asked['resultType']).toBe('input_required')
    const { requestState = '', inputRequests } = asked
    const responses = Object.keys(isJsonObject(inputRequests) ? inputRequests : {}).map((key) => [
      key,
      { action: 'accept', content: { value: 'Bo' } },
    ])
    const created = await request({
      name: 'tool',
      arguments: {},
      requestState,
      inputResponses: Object.fromEntries(responses),
    })
    expect(created).toMatchObject({ resultType: 'task', status: 'working' })
    expect(created).not.toHaveProperty('requestState')
    const { result } = await poll(server, created['taskId'], 'completed')
    expect(result).toMatchObject({ content: [{ type: 'text', text: 'Hello "Bo".' }] })
  })
})
