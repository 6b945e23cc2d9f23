import { once } from 'node:events'
import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { describe, expect, test, vi } from 'vitest'
import type { RunningHttpService } from '../serve-http.ts'
import {
  begin,
  named,
  readUntil,
  type Replicas,
  send,
  serveTwice,
} from '../testing/replicas.support.ts'
import { text, tool } from '../testing/served.support.ts'
import type { ToolService } from './tool-service.ts'

const LONG = Object.assign(tool(), { execution: { taskSupport: 'optional' } })

/** Calls the tool as a task of a client of this version, and returns how to send requests about it to each replica. */
async function beginTask(
  { first, second }: Pick<Replicas, 'first' | 'second'>,
  version: '2025-11-25' | '2026-07-28',
): Promise<{
  taskId: string
  meta: JsonObject
  ask: (served: RunningHttpService, method: string) => Promise<JsonObject>
}> {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientCapabilities': {
      extensions: { 'io.modelcontextprotocol/tasks': {} },
    },
    'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
  }
  const isLater = version === '2026-07-28'
  const session = isLater ? {} : await begin(first)
  let id = 0
  const ask = async (
    served: RunningHttpService,
    method: string,
    params: object,
  ): Promise<JsonObject> => {
    id += 1
    const body = {
      jsonrpc: '2.0',
      id,
      method,
      params: { ...params, ...(isLater && { _meta: meta }) },
    }
    const [name] = [params].flatMap((each) => Object.values(each))
    const headers = {
      ...session,
      'mcp-protocol-version': version,
      ...(isLater && { 'mcp-method': method, 'mcp-name': String(name) }),
    }
    const answer = await (await send(served, body, headers)).text()
    const message: unknown = JSON.parse(/^data: (\{.*)$/m.exec(answer)?.[1] ?? answer)
    return isJsonObject(message) ? message : {}
  }
  const call = { name: 'tool', arguments: {}, ...(!isLater && { task: {} }) }
  const begun = await ask(first, 'tools/call', call)
  const [, taskId = ''] = /"taskId":"([^"]+)"/.exec(JSON.stringify(begun)) ?? []
  expect(taskId).not.toBe('')
  expect(second.url).not.toBe(first.url)
  return { taskId, meta, ask: async (served, method) => await ask(served, method, { taskId }) }
}

describe.for(['2025-11-25', '2026-07-28'] as const)('a task of a client of MCP %s', (version) => {
  const service = (): Partial<ToolService> => ({ definitions: () => [LONG] })

  test('is the same at every replica', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const replicas = await serveTwice(
      (name) => async () => {
        await released
        return text(`from ${name}`)
      },
      service,
    )
    const { ask } = await beginTask(replicas, version)
    expect(await ask(replicas.second, 'tasks/get')).toMatchObject({ result: { status: 'working' } })
    release()
    await vi.waitFor(async () =>
      expect(await ask(replicas.second, 'tasks/get')).toMatchObject({
        result: { status: 'completed' },
      }),
    )
  })

  test('that has ended is known after the end of its replica', async () => {
    const replicas = await serveTwice(named, service)
    const { ask } = await beginTask(replicas, version)
    await vi.waitFor(async () =>
      expect(await ask(replicas.first, 'tasks/get')).toMatchObject({
        result: { status: 'completed' },
      }),
    )
    await replicas.first.close({ graceMs: 0 })
    const read = version === '2025-11-25' ? 'tasks/result' : 'tasks/get'
    expect(JSON.stringify(await ask(replicas.second, read))).toContain('from first')
  })

  test('that runs when its replica is lost has failed: it may have been executed', async () => {
    const replicas = await serveTwice(
      () =>
        async (_call, { signal }) => {
          await once(signal, 'abort')
          return text('too late')
        },
      service,
    )
    const { ask } = await beginTask(replicas, version)
    replicas.isolate()
    expect(await ask(replicas.second, 'tasks/get')).toMatchObject({ result: { status: 'failed' } })
    const read = version === '2025-11-25' ? 'tasks/result' : 'tasks/get'
    expect(JSON.stringify(await ask(replicas.second, read))).toContain('may have been executed')
  })

  test('that runs while its replica ends is finished there', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const replicas = await serveTwice(
      (name) => async () => {
        await released
        return text(`from ${name}`)
      },
      service,
    )
    const { ask } = await beginTask(replicas, version)
    const closed = replicas.first.close({ graceMs: 10_000 })
    expect(await ask(replicas.second, 'tasks/get')).toMatchObject({ result: { status: 'working' } })
    release()
    await closed
    const read = version === '2025-11-25' ? 'tasks/result' : 'tasks/get'
    expect(JSON.stringify(await ask(replicas.second, read))).toContain('from first')
  })
})

test('a stream about a task is at the replica that has the task', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const replicas = await serveTwice(
    () => async () => {
      await released
      return text('done')
    },
    () => ({ definitions: () => [LONG] }),
  )
  const { taskId, meta } = await beginTask(replicas, '2026-07-28')
  const body = {
    jsonrpc: '2.0',
    id: 'listen',
    method: 'subscriptions/listen',
    params: { notifications: { taskIds: [taskId] }, _meta: meta },
  }
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' }
  const stream = await send(replicas.second, body, headers)
  expect(await readUntil(stream, '"working"')).toContain(taskId)
  release()
})
