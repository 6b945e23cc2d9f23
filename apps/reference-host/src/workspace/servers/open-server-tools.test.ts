import { StoreError } from '@toolblocks/conversation-store'
import { createGateway } from '@toolblocks/mcp-bridge/gateway'
import { serveHttp } from '@toolblocks/mcp-bridge/server'
import { createSuccessResult } from '@toolblocks/protocol'
import { createServer, type Server, type Socket } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openServer, type OpenedServer } from './open-servers.ts'
import { openServerTools, type OpenedServerTools } from './open-server-tools.ts'
import { createSharedServers, type SharedServers } from './share-servers.ts'
import type { WrittenServer } from './written-servers.ts'
import { workspace } from './workspace.support.ts'

const { signal } = new AbortController()
type Options = Parameters<typeof openServerTools>[1]

async function open(
  wanted: readonly WrittenServer[],
  options: Partial<Options> = {},
): Promise<OpenedServerTools> {
  const root = workspace({})
  const mcp = { servers: {}, tools: {} }
  return await openServerTools(wanted, {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- servers are opened by these members only
    configuration: { root, file: 'toolblocks.toml', mcp } as unknown as Options['configuration'],
    hooks: () => ({}),
    signal,
    ...options,
  })
}

const written = (name: string, url: string, more: Partial<WrittenServer> = {}): WrittenServer => ({
  name,
  table: { url, headers: { authorization: 'Bearer none' } },
  own: {},
  tools: {},
  waiting: [],
  file: 'toolblocks.toml',
  ...more,
})

/** A server with one tool, and the number of clients that are connected to it. */
async function serve(name: string, port = 0) {
  const served = await serveHttp(
    {
      name,
      version: '1',
      root: '/w',
      definitions: () => [{ name: 'read', inputSchema: { type: 'object' } }],
      callTool: async () => createSuccessResult([]),
    },
    { port },
  )
  onTestFinished(async () => await served.close({ graceMs: 0 }))
  const headers = { authorization: `Bearer ${served.token}` }
  const table = { url: served.url, headers }
  return { table, server: written(name, served.url, { table }) }
}

/** An address that accepts connections and never answers. `asked` settles with the first one. */
async function listen(): Promise<{ url: string; asked: Promise<void> }> {
  const asked = Promise.withResolvers<void>()
  const sockets = new Set<Socket>()
  const silent: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('data', () => asked.resolve())
  })
  await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    silent.close()
  })
  const address = silent.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { url: `http://127.0.0.1:${address.port}/mcp`, asked: asked.promise }
}

test('a server that has not connected within the patience is named, and its attempt ends when the tools are closed', async () => {
  const { server } = await serve('notes')
  const silent = await listen()
  const changes: string[] = []
  const opened = await open([written('slow', silent.url), server], {
    patienceMs: 500,
    onChange: () => void changes.push('changed'),
  })
  await silent.asked
  expect(opened.starting.names()).toContain('slow')
  await expect.poll(() => opened.servers.map(({ name }) => name)).toEqual(['notes'])
  await opened.close()
  expect((await opened.now()).left).toEqual([])
  expect(opened.servers.map(({ state }) => state.kind)).toEqual(['closed'])
})

test('if opening one server is a fault of this program, the others are closed before it is reported', async () => {
  const { server } = await serve('one')
  const connected = Promise.withResolvers<OpenedServer>()
  const shared: SharedServers = {
    open: async (wanted, options) => {
      if (wanted.name === 'one') {
        const opened = await openServer(wanted, options)
        connected.resolve(opened)
        return { opened }
      }
      await connected.promise
      throw new TypeError('a fault')
    },
    close: async () => {},
  }
  const sharing = { shared, gateway: createGateway({ capabilities: {} }) }
  const opening = open([server, written('other', server.table['url'] as string)], { sharing })
  await expect(opening).rejects.toThrow('a fault')
  expect(await connected.promise).toMatchObject({ ok: true, server: { state: { kind: 'closed' } } })
})

test('a fault after the patience is reported when the tools are closed, and everything is closed before', async () => {
  const [one, other] = [await serve('one'), await serve('other')]
  const opened = await open([one.server, other.server], {
    patienceMs: 0,
    onChange: () => {
      throw new TypeError('a fault')
    },
  })
  const { servers } = opened
  await expect.poll(() => servers.length).toBe(2)
  // Nobody has to wait for the failure.
  for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate)
  await expect(opened.close()).rejects.toThrow('a fault')
  expect(servers.map(({ state }) => state.kind)).toEqual(['closed', 'closed'])
})

test('a server that has failed is tried again, each time after a longer pause, and then used', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const first = await serve('notes')
  const port = Number(new URL(first.server.table['url'] as string).port)
  const missing = written('notes', `http://127.0.0.1:${port}/other`)
  const opened = await open([missing])
  onTestFinished(opened.close)
  expect(opened.servers).toEqual([])
  expect((await opened.now()).left).toMatchObject([{ tool: 'the server notes' }])
  expect(await opened.retry()).toBe(false)
  // Its pause is not over.
  Object.assign(missing, { table: first.table })
  expect(await opened.retry()).toBe(false)
  vi.advanceTimersByTime(500)
  const [one, other] = await Promise.all([opened.retry(), opened.retry()])
  expect([one, other]).toEqual([true, true])
  expect(opened.servers).toHaveLength(1)
  expect(opened.changes()).toBeGreaterThan(0)
  expect(await opened.retry()).toBe(false)
})

test('tools that are closed while a server is tried again end the attempt first', async () => {
  const silent = await listen()
  const missing = written('notes', 'http://127.0.0.1:1/mcp')
  const opened = await open([missing])
  Object.assign(missing, { table: written('notes', silent.url).table })
  const trying = opened.retry()
  await silent.asked
  const order: string[] = []
  const tried = trying.then(() => void order.push('tried'))
  await opened.close()
  order.push('closed')
  await tried
  expect(order).toEqual(['tried', 'closed'])
  expect(await opened.retry()).toBe(false)
})

test('a client that leaves a shared server ends neither its connection nor gets its changes', async () => {
  const { server } = await serve('notes')
  const shared = createSharedServers(signal)
  const sharing = { shared, gateway: createGateway({ capabilities: {} }) }
  const both = { ...server, own: { share: true } }
  const [one, other] = [await open([both], { sharing }), await open([both], { sharing })]
  expect(one.servers[0]).toBe(other.servers[0])
  await one.close()
  expect(other.servers[0]?.state.kind).toBe('connected')
  await other.close()
  await shared.close()
  expect(other.servers[0]?.state.kind).toBe('closed')
})

test('a wait for the login of a person continues when the store of the logins has failed', async () => {
  const { server } = await serve('desk')
  let isThere = false
  let failures = 0
  const login = {
    fetch: async () => {
      throw new Error('no request is made without a login')
    },
    isThere: async () => isThere,
    wait: async () => {
      if (failures === 0) {
        failures += 1
        throw new StoreError('failed', 'the store is away')
      }
      isThere = true
      await new Promise(() => undefined)
    },
    ask: async () => undefined,
  }
  const tools = await open([{ ...server, own: { login: 'each' } }], { people: { at: () => login } })
  onTestFinished(async () => await tools.close())
  await vi.waitFor(() => expect(isThere).toBe(true), { timeout: 20_000 })
})
