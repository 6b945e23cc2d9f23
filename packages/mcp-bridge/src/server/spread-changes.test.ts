import type { JsonObject } from '@toolblocks/protocol'
import { expect, onTestFinished, test, vi } from 'vitest'
import { begin, key, named, readUntil, send, token } from '../testing/replicas.support.ts'
import { serve, tool } from '../testing/served.support.ts'
import { createSharedDocuments } from '../testing/shared-documents.support.ts'
import type { SharedDocuments } from './shared-documents.ts'
import { spreadChanges } from './spread-changes.ts'
import type { ToolService } from './tool-service.ts'

const TOOLS = 'notifications/tools/list_changed'
const UPDATED = 'notifications/resources/updated'

/** A service that hears what a test says. */
function createHearing() {
  const changed = new Set<() => void>()
  const watchers = new Set<(method: string, params: JsonObject) => void>()
  const service: Partial<ToolService> = {
    onDefinitionsChanged: (listener) => {
      changed.add(listener)
      return () => void changed.delete(listener)
    },
    features: {
      capabilities: () => ({ resources: { subscribe: true }, prompts: { listChanged: true } }),
      answer: async () => ({}),
      watch: (listener) => {
        watchers.add(listener)
        return () => void watchers.delete(listener)
      },
    },
  }
  return {
    service,
    changeTools: () => changed.forEach((listener) => listener()),
    hear: (method: string, params: JsonObject) =>
      watchers.forEach((watcher) => watcher(method, params)),
  }
}

/** Documents that tell of their changes, as those of a store do. */
function createDocuments(): () => SharedDocuments & {
  writes: () => number
  follows: () => number
} {
  const shared = createSharedDocuments()
  let writes = 0
  let follows = 0
  return () => {
    const documents = shared.open()
    return {
      ...documents,
      writes: () => writes,
      follows: () => follows,
      write: async (write) => {
        if (write.collection === 'mcp-change') writes += 1
        return await documents.write(write)
      },
      changed: async (collection, id, version, signal) => {
        follows += 1
        await vi.waitFor(
          async () => {
            const current = await documents.read(collection, id)
            if (!signal.aborted && (current?.version ?? 0) === version) throw new Error('the same')
          },
          { timeout: 1e6, interval: 10 },
        )
      },
    }
  }
}

const toService = (service: Partial<ToolService>): ToolService => ({
  name: 'ours',
  version: '1',
  root: '/w',
  definitions: () => [tool()],
  callTool: named('x'),
  ...service,
})

function listen(service: ToolService): string[] {
  const heard: string[] = []
  service.onDefinitionsChanged?.(() => void heard.push(TOOLS))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing reads it here
  const client = {} as Parameters<NonNullable<ToolService['features']>['watch']>[1]
  service.features?.watch(
    (method, params) => void heard.push(`${method} ${JSON.stringify(params)}`),
    client,
  )
  return heard
}

async function spreadTwice() {
  const open = createDocuments()
  const documents = open()
  const [first, second] = [createHearing(), createHearing()]
  const spreads = [first, second].map(({ service }) => spreadChanges(toService(service), open()))
  onTestFinished(() => spreads.forEach(({ close }) => close()))
  const [ofFirst, ofSecond] = spreads.map(({ service }) => listen(service))
  // Both have read what was told before.
  await vi.waitFor(() => expect(documents.follows()).toBe(2))
  return { first, second, ofFirst, ofSecond, documents }
}

test('a change that one replica hears is one for the clients of all, and equal ones at once are one', async () => {
  const { first, ofFirst, ofSecond, documents } = await spreadTwice()
  for (let time = 0; time < 50; time += 1) {
    first.changeTools()
    first.hear(UPDATED, { uri: 'x:1', secret: 'payload' })
  }
  await vi.waitFor(() => expect(ofSecond).toEqual([TOOLS, `${UPDATED} {"uri":"x:1"}`]))
  expect(documents.writes()).toBe(1)
  expect(JSON.stringify(await documents.read('mcp-change', 'all'))).not.toContain('payload')
  // Its own clients hear each, once.
  expect(ofFirst?.filter((each) => each === TOOLS)).toHaveLength(50)
})

test('a change that came from another replica is not told again', async () => {
  const { first, second, ofFirst, ofSecond, documents } = await spreadTwice()
  const { length } = ofSecond ?? []
  first.changeTools()
  await vi.waitFor(() => expect(ofSecond).toHaveLength(length + 1), { interval: 1 })
  // The own connection of the second replica hears the same change.
  second.changeTools()
  // What it tells comes after what it would have told before.
  second.hear('notifications/prompts/list_changed', {})
  await vi.waitFor(() => expect(ofFirst).toContain('notifications/prompts/list_changed {}'))
  expect(ofFirst?.filter((each) => each === TOOLS)).toHaveLength(1)
  expect(documents.writes()).toBe(2)
})

test('log messages and what belongs to a call are not told', async () => {
  const { first, ofSecond, documents } = await spreadTwice()
  first.hear('notifications/message', { data: 'secret' })
  first.hear('notifications/progress', {})
  first.changeTools()
  await vi.waitFor(() => expect(ofSecond).toEqual([TOOLS]))
  expect(JSON.stringify(await documents.read('mcp-change', 'all'))).not.toContain('message')
})

test('clients of every replica, with a session and without one, get what they have subscribed to', async () => {
  const open = createDocuments()
  const start = async (hearing: ReturnType<typeof createHearing>) =>
    await serve(named('x'), hearing.service, {
      token,
      stateKey: key,
      replicas: { documents: open(), key },
    })
  const [first, second] = [createHearing(), createHearing()]
  // It hears of resources while it has clients.
  await begin(await start(first))
  const served = await start(second)
  const session = await begin(served)
  const subscribe = { jsonrpc: '2.0', id: 2, method: 'resources/subscribe', params: { uri: 'x:1' } }
  await (await send(served, subscribe, session)).text()
  const stream = await send(served, undefined, session)
  const listening = await send(
    served,
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'subscriptions/listen',
      params: {
        notifications: { toolsListChanged: true, resourceSubscriptions: ['x:1'] },
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    },
    { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' },
  )
  const every = setInterval(() => {
    first.hear(UPDATED, { uri: 'x:2' })
    first.hear(UPDATED, { uri: 'x:1' })
    first.changeTools()
  }, 300)
  onTestFinished(() => clearInterval(every))
  for (const each of [stream, listening]) {
    const read = await readUntil(each, 'x:1')
    expect(read).toContain('x:1')
    expect(read).not.toContain('x:2')
  }
})
