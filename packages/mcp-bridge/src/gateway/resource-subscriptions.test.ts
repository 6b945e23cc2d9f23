import type { JsonObject } from '@toolblocks/protocol'
import { expect, test, vi } from 'vitest'
import type { ServedClient } from '../serve/served-features.ts'
import type { Reply } from '../wire/peer.ts'
import { trackEqualUris } from './equal-uris.ts'
import type { FeatureSource } from './pass-request.ts'
import { trackResourceSubscriptions } from './resource-subscriptions.ts'

const OK: Reply = { kind: 'result', result: {} }
const LOST: Reply = {
  kind: 'loss',
  loss: { kind: 'lost', reason: 'gone', maybeExecuted: false, transient: true },
}

const client: ServedClient = {
  id: 'c',
  protocolVersion: '2025-11-25',
  capabilities: {},
  identity: '',
  request: async () => OK,
  notify: () => undefined,
}

/** A server whose resources can be subscribed to; of an earlier version unless another is given. */
function createSource(
  request: FeatureSource['request'],
  protocolVersion = '2025-11-25',
): FeatureSource {
  return {
    name: 's',
    protocolVersion,
    capabilities: { resources: { subscribe: true } },
    hasLinked: () => false,
    request,
  }
}

test('a subscription at a server of an earlier version is made again after its connection was lost, until it has ended', async () => {
  const announced: [string, JsonObject][] = []
  const asked: string[] = []
  const replies = [OK, LOST, OK]
  const server = createSource(async (method) => {
    asked.push(method)
    return replies.shift() ?? OK
  })
  const subscriptions = trackResourceSubscriptions(
    (...told) => void announced.push(told),
    trackEqualUris(),
  )
  const { signal } = new AbortController()
  const request = { method: 'resources/subscribe', params: { uri: 'note:a' }, signal }
  await subscriptions.subscribe([server], request, client)
  subscriptions.onLost('other')
  subscriptions.onLost('s')
  subscriptions.onLost('s')
  await vi.waitFor(() => expect(announced).toHaveLength(1), { timeout: 10_000 })
  expect(announced).toEqual([['notifications/resources/updated', { uri: 'note:a' }]])
  expect(asked).toEqual(Array.from({ length: 3 }, () => 'resources/subscribe'))
  await subscriptions.unsubscribe({ ...request, method: 'resources/unsubscribe' }, client)
  subscriptions.onLost('s')
  expect(asked.slice(3)).toEqual(['resources/unsubscribe'])
})

test('a subscription that is made again while it is ended is made after its end', async () => {
  const asked: string[] = []
  const server = createSource(async (method) => {
    asked.push(method)
    await new Promise(setImmediate)
    return OK
  })
  const subscriptions = trackResourceSubscriptions(() => undefined, trackEqualUris())
  const { signal } = new AbortController()
  const request = { method: 'resources/subscribe', params: { uri: 'note:a' }, signal }
  const subscribe = async (): Promise<JsonObject> =>
    await subscriptions.subscribe([server], request, client)
  await subscribe()
  await Promise.all([subscriptions.unsubscribe(request, client), subscribe()])
  expect(asked).toEqual(['resources/subscribe', 'resources/unsubscribe', 'resources/subscribe'])
})

test('a client that cancels before a server of MCP 2026-07-28 has acknowledged its subscription is refused, and the stream ends', async () => {
  const cancelling = new AbortController()
  const ended: boolean[] = []
  const server = createSource(async (_method, _params, { signal }) => {
    setImmediate(() => cancelling.abort())
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    ended.push(signal.aborted)
    return { kind: 'aborted' }
  }, '2026-07-28')
  const subscriptions = trackResourceSubscriptions(() => undefined, trackEqualUris())
  const { signal } = cancelling
  const request = { method: 'resources/subscribe', params: { uri: 'note:a' }, signal }
  await expect(subscriptions.subscribe([server], request, client)).rejects.toThrow(
    'The server has not acknowledged the subscription.',
  )
  expect(ended).toEqual([true])
})
