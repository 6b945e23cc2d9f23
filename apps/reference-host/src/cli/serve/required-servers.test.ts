import type { McpServer } from '@toolblocks/mcp-bridge'
import { expect, test, vi } from 'vitest'
import { watchRequiredServers } from './required-servers.ts'

const MISSING = 'a required server is not connected'

/** Returns the check of these servers. */
function createCheck(
  names: readonly string[],
  own: Omit<Parameters<typeof watchRequiredServers>[1], 'rest'>,
): () => Promise<string | undefined> {
  const written = names.map((name) => ({ name, own: { required: true } }))
  const { findMissing } = watchRequiredServers(written, { ...own, rest: async () => {} })
  if (!findMissing) throw new TypeError('servers are required')
  return findMissing
}

function createServer(name: string) {
  const state: { kind: McpServer['state'] } = { kind: { kind: 'connected' } }
  const request = vi.fn<McpServer['request']>(async () => ({ kind: 'result', result: {} }))
  return {
    state,
    request,
    server: {
      name,
      get state() {
        return state.kind
      },
      request,
    },
  }
}

test('a service is ready while each required server is connected, whatever the others are', async () => {
  const one = createServer('one')
  const other = createServer('other')
  other.state.kind = { kind: 'closed' }
  const retry = vi.fn<() => Promise<boolean>>(async () => false)
  const find = createCheck(['one'], { servers: [one.server, other.server], retry })
  expect(await find()).toBeUndefined()
  expect(await find()).toBeUndefined()
  expect(one.request).toHaveBeenCalledTimes(1)
  expect(other.request).not.toHaveBeenCalled()
  one.state.kind = { kind: 'lost', reason: 'it has ended', retryAt: 0 }
  expect(await find()).toBe(MISSING)
  expect(retry).toHaveBeenCalledTimes(1)
})

test('a server that has ended unnoticed is noticed by a request, and one that could not be opened is tried again', async () => {
  const one = createServer('one')
  one.request.mockImplementation(async () => {
    one.state.kind = { kind: 'lost', reason: 'it has ended', retryAt: 0 }
    return { kind: 'aborted' }
  })
  const servers = [one.server]
  const find = createCheck(['one', 'two'], {
    servers,
    retry: async () => {
      servers.push(createServer('two').server)
      one.state.kind = { kind: 'connected' }
      return true
    },
  })
  expect(await find()).toBe(MISSING)
  await vi.waitFor(async () => expect(await find()).toBeUndefined())
})

test('connections to required servers stay open, and without any nothing is checked', async () => {
  const rest = vi.fn<(except: readonly string[]) => Promise<void>>(async () => {})
  const own = { servers: [], retry: async () => false, rest }
  const written = [
    { name: 'one', own: { required: true } },
    { name: 'other', own: {} },
  ]
  await watchRequiredServers(written, own).rest()
  expect(rest).toHaveBeenCalledWith(['one'])
  expect(watchRequiredServers([{ name: 'other', own: {} }], own).findMissing).toBeUndefined()
})
