import type { JsonObject } from '@toolblocks/protocol'
import { expect, test, vi } from 'vitest'
import type { McpServer } from '../client/mcp-server.ts'
import type { ServedFeatures } from '../server/served-features.ts'
import { getServerConfig, serve, text } from '../testing/served.support.ts'
import { serveGateway } from '../testing/served-gateway.support.ts'
import { connect } from '../testing/servers.support.ts'
import { trackEqualUris } from './equal-uris.ts'

const URI = 'file:///notes'
const OF_BOB = 'mcp-server:bob/file%3A%2F%2F%2Fnotes'
const { signal } = new AbortController()

/** A server whose resource has this text. */
interface Upstream {
  features: ServedFeatures
  /** The subscriptions that it was asked for. */
  asked: string[]
  /** Says that the resource has changed. */
  change(): void
}

function createUpstream(content: string): Upstream {
  const asked: string[] = []
  const listeners = new Set<(method: string, params: JsonObject) => void>()
  return {
    asked,
    change: () => {
      for (const tell of listeners) tell('notifications/resources/updated', { uri: URI })
    },
    features: {
      capabilities: () => ({ resources: { subscribe: true } }),
      answer: async ({ method, params: { uri } }) => {
        switch (method) {
          case 'resources/list':
            return { resources: [{ uri: URI, name: content }] }
          case 'resources/read':
            return { contents: [{ uri: String(uri), text: content }] }
          default:
            asked.push(`${method} ${String(uri)}`)
            return {}
        }
      },
      onClientNotification: () => undefined,
      watch: (tell) => {
        listeners.add(tell)
        return () => listeners.delete(tell)
      },
    },
  }
}

/** Serves both servers through a gateway, and connects a client of this version, which remembers what it hears. */
async function connectBoth(protocolVersion: '2025-11-25' | '2026-07-28') {
  const [ann, bob] = [createUpstream('of ann'), createUpstream('of bob')]
  const configs = await Promise.all(
    Object.entries({ ann, bob }).map(async ([name, { features }]) => ({
      ...getServerConfig(await serve(async () => text('done'), { features })),
      name,
    })),
  )
  const { served } = await serveGateway(configs)
  const heard: unknown[] = []
  const client = await connect(
    { ...getServerConfig(served), protocolVersion },
    {
      onNotification: (method, params) => {
        if (method === 'notifications/resources/updated') heard.push(params['uri'])
      },
    },
  )
  return { ann, bob, client, heard }
}

async function ask(client: McpServer, method: string, params: JsonObject): Promise<unknown> {
  const reply = await client.request(method, params, { signal })
  return reply.kind === 'result' ? reply.result : reply
}

/** Returns the URIs of all pages. */
async function listUris(client: McpServer): Promise<readonly unknown[]> {
  const first = await ask(client, 'resources/list', {})
  const { nextCursor } = Object(first)
  const second = await ask(client, 'resources/list', { cursor: nextCursor })
  return [first, second].flatMap((page) =>
    Object(page).resources.map(({ uri, name }: JsonObject) => [uri, name]),
  )
}

test.for(['2025-11-25', '2026-07-28'] as const)(
  'a client of MCP %s reads the resources of two servers that have the same URI',
  async (version) => {
    const { client } = await connectBoth(version)
    for (let time = 0; time < 2; time += 1)
      expect(await listUris(client)).toEqual([
        [URI, 'of ann'],
        [OF_BOB, 'of bob'],
      ])
    expect(await ask(client, 'resources/read', { uri: URI })).toMatchObject({
      contents: [{ uri: URI, text: 'of ann' }],
    })
    expect(await ask(client, 'resources/read', { uri: OF_BOB })).toMatchObject({
      contents: [{ uri: OF_BOB, text: 'of bob' }],
    })
  },
)

test('a subscription to one of them is made at its server, and hears of its changes only', async () => {
  const { ann, bob, client, heard } = await connectBoth('2025-11-25')
  await listUris(client)
  await ask(client, 'resources/subscribe', { uri: OF_BOB })
  expect([ann.asked, bob.asked]).toEqual([[], [`resources/subscribe ${URI}`]])
  bob.change()
  await vi.waitFor(() => expect(heard).toEqual([OF_BOB]))
  await ask(client, 'resources/subscribe', { uri: URI })
  expect([ann.asked, bob.asked.length]).toEqual([[`resources/subscribe ${URI}`], 1])
  ann.change()
  await vi.waitFor(() => expect(heard).toEqual([OF_BOB, URI]))
  await ask(client, 'resources/unsubscribe', { uri: OF_BOB })
  expect(bob.asked.at(-1)).toBe(`resources/unsubscribe ${URI}`)
})

test('what is listed again keeps its URI, whichever server is listed first then', () => {
  const uris = trackEqualUris()
  expect(uris.list('a', 'x:1')).toBe('x:1')
  expect(uris.list('b', 'x:1')).toBe('mcp-server:b/x%3A1')
  expect(uris.list('b', 'x:1')).toBe('mcp-server:b/x%3A1')
  expect(uris.list('a', 'x:1')).toBe('x:1')
  expect([uris.isRenamed('b', 'x:1'), uris.isRenamed('a', 'x:1')]).toEqual([true, false])
})
