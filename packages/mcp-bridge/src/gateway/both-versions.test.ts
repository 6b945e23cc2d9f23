import { setTimeout as pause } from 'node:timers/promises'
import type { JsonObject, Progress, ToolContext, ToolDefinition } from '@toolblocks/protocol'
import { describe, expect, test, vi } from 'vitest'
import type { McpServer, ServerHooks } from '../client/mcp-server.ts'
import type { ServedFeatures } from '../server/served-features.ts'
import { getServerConfig, type Execute, serve, text, tool } from '../testing/served.support.ts'
import { serveGateway } from '../testing/served-gateway.support.ts'
import { answering, call, connect, firstText } from '../testing/servers.support.ts'

const VERSIONS = ['2025-11-25', '2026-07-28'] as const
type Version = (typeof VERSIONS)[number]
const never = (): AbortSignal => new AbortController().signal

/** The clients and servers of this file call each other as tasks, or not. */
interface Link {
  client: Version
  server: Version
  isTask: boolean
}
const LINKS: readonly Link[] = VERSIONS.flatMap((client) =>
  VERSIONS.flatMap((server) => [true, false].map((isTask) => ({ client, server, isTask }))),
)

/** Connects a client with a server through a gateway. The only tool of the server runs this. */
async function link(
  { client, server, isTask }: Link,
  execute: Execute,
  hooks: ServerHooks = {},
  features?: ServedFeatures,
): Promise<McpServer> {
  const execution = { taskSupport: isTask ? 'required' : 'forbidden' }
  const definition: ToolDefinition = Object.assign(tool(), { execution })
  const upstream = await serve(execute, {
    definitions: () => [definition],
    ...(features && { features }),
  })
  const config = {
    ...getServerConfig(upstream),
    protocolVersion: server,
    toolNames: 'own',
  } as const
  const { served: front } = await serveGateway([config])
  return await connect(
    { ...getServerConfig(front), protocolVersion: client },
    { canAsk: true, ...hooks },
  )
}

const run = async (client: McpServer, context: Partial<ToolContext> = {}): Promise<string> =>
  firstText(await call(client, 'tool', {}, context))

describe.for(LINKS)(
  'a client of MCP $client with a server of MCP $server (as a task: $isTask)',
  (versions) => {
    test('is asked two questions, and hears of the progress between them', async () => {
      const client = await link(versions, async (toolCall, { ask, signal, onProgress }) => {
        const put = async (id: string): Promise<unknown> =>
          await ask?.user?.(
            { id, text: `${id}?`, schema: { type: 'string' } },
            { blocks: [], source: { kind: 'question', call: toolCall }, signal },
          )
        const first = await put('one')
        onProgress?.({ progress: 1, message: 'half' })
        // A task tells its state when it is asked for.
        await pause(versions.isTask ? 1200 : 50)
        return text(JSON.stringify([first, await put('two')]))
      })
      const { ask, asked } = answering(({ text: questionText }) => ({
        action: 'accept',
        value: { value: questionText },
      }))
      const heard: Progress[] = []
      const answer = await run(client, { ask, onProgress: (report) => void heard.push(report) })
      expect(answer).toBe(
        JSON.stringify(['one?', 'two?'].map((value) => ({ action: 'accept', value }))),
      )
      expect(asked).toHaveLength(2)
      expect(heard).toContainEqual(expect.objectContaining({ message: 'half' }))
    })

    test('is asked for a model and for its folders', async () => {
      const client = await link(
        versions,
        async (_toolCall, { signal }, { request }) => {
          const sampled = await request('sampling/createMessage', { maxTokens: 1 }, signal)
          const folders = await request('roots/list', {}, signal)
          return text(JSON.stringify([sampled, folders]))
        },
        {
          createMessage: async () => ({ model: 'm' }),
          listRoots: async () => ({ roots: [{ uri: 'file:///w' }] }),
        },
      )
      const answers: unknown = JSON.parse(await run(client))
      expect(answers).toMatchObject([
        { kind: 'result', result: { model: 'm' } },
        { kind: 'result', result: { roots: [{ uri: 'file:///w' }] } },
      ])
    })

    test('cancels a call, which ends at the server', async () => {
      const signals: AbortSignal[] = []
      const client = await link(versions, async (_toolCall, { signal }) => {
        signals.push(signal)
        await pause(60_000, undefined, { signal }).catch(() => undefined)
        return text('late')
      })
      const ending = new AbortController()
      const called = run(client, { signal: ending.signal })
      await vi.waitFor(() => expect(signals).toHaveLength(1))
      ending.abort()
      await called
      await vi.waitFor(() => expect(signals[0]?.aborted).toBe(true), { timeout: 5000 })
    })

    test('receives the log messages of the level that it sets', async () => {
      const listeners = new Set<(method: string, params: JsonObject) => void>()
      const levels: unknown[] = []
      const features: ServedFeatures = {
        capabilities: () => ({ logging: {} }),
        answer: async ({ params }) => {
          levels.push(params['level'])
          return {}
        },
        watch: (listener) => {
          listeners.add(listener)
          return () => void listeners.delete(listener)
        },
      }
      const heard: unknown[] = []
      const level = versions.client === '2026-07-28' ? { logLevel: () => 'debug' } : {}
      const client = await link(
        versions,
        async () => {
          for (const listener of listeners)
            listener('notifications/message', { level: 'debug', data: 'said' })
          await pause(100)
          return text('done')
        },
        { ...level, onLog: ({ data }) => void heard.push(data) },
        features,
      )
      // A client of 2026-07-28 sets the level in each request.
      const params = { level: 'debug' }
      if (versions.client === '2025-11-25')
        await client.request('logging/setLevel', params, { signal: never() })
      await run(client)
      expect(levels).toContain('debug')
      // A client of 2026-07-28 that follows a task need not receive more than its state.
      const maySayNothing =
        versions.isTask && [versions.client, versions.server].includes('2026-07-28')
      expect(heard.includes('said') || maySayNothing).toBe(true)
    })
  },
)
