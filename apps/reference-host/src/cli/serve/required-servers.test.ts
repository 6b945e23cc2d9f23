import type { McpServer } from '@toolblocks/mcp-bridge'
import { expect, test, vi } from 'vitest'
import { watchRequiredServers } from './required-servers.ts'

const MISSING = 'a required server is not connected'

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
  const find = watchRequiredServers(['one'], { servers: [one.server, other.server], retry })
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
  const find = watchRequiredServers(['one', 'two'], {
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
