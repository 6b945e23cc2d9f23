import { getEventListeners, once } from 'node:events'
import type { JsonObject } from '@toolblocks/protocol'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { ServedClient } from '../server/served-features.ts'
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
    (...notification) => void announced.push(notification),
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

test('a client that has gone before its subscription is made holds none, and the next one is made anew', async () => {
  const asked: string[] = []
  const server = createSource(async (method) => {
    asked.push(method)
    return OK
  })
  const subscriptions = trackResourceSubscriptions(() => undefined, trackEqualUris())
  const request = { method: 'resources/subscribe', params: { uri: 'note:a' } }
  const gone = { ...request, signal: AbortSignal.abort() }
  await subscriptions.subscribe([server], gone, client)
  expect(subscriptions.areHeld()).toBe(false)
  await vi.waitFor(() => expect(asked).toEqual(['resources/subscribe', 'resources/unsubscribe']))
  const here = { ...request, signal: new AbortController().signal }
  await subscriptions.subscribe([server], here, { ...client, id: 'other' })
  expect(subscriptions.areHeld()).toBe(true)
  expect(asked.slice(2)).toEqual(['resources/subscribe'])
})

/** Subscriptions, what they announce, and the rejections that nothing has handled. */
function track() {
  const announced: unknown[] = []
  const unhandled: unknown[] = []
  const note = (error: unknown): void => void unhandled.push(error)
  process.on('unhandledRejection', note)
  onTestFinished(() => void process.off('unhandledRejection', note))
  const subscriptions = trackResourceSubscriptions(
    (method, params) => void announced.push([method, params]),
    trackEqualUris(),
  )
  return { subscriptions, announced, unhandled }
}

const settle = async (turns = 1): Promise<void> => {
  for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate)
}

const subscribeTo = (uri: string, signal: AbortSignal) => ({
  method: 'resources/subscribe',
  params: { uri },
  signal,
})
const ACKNOWLEDGEMENT = { notifications: { resourceSubscriptions: ['note:a'] } }

/** A server of MCP 2026-07-28 whose streams stay open. `signals`: those of its streams. */
function createStreaming(): { server: FeatureSource; signals: AbortSignal[] } {
  const signals: AbortSignal[] = []
  const server = createSource(async (_method, _params, { signal }) => {
    signals.push(signal)
    if (!signal.aborted) await once(signal, 'abort')
    return { kind: 'aborted' }
  }, '2026-07-28')
  return { server, signals }
}

test('a stream stays open after the time for its acknowledgement, and ends with the subscription', async () => {
  const timeouts: AbortController[] = []
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
    const late = new AbortController()
    timeouts.push(late)
    return late.signal
  })
  onTestFinished(() => timeout.mockRestore())
  const { server, signals } = createStreaming()
  const { subscriptions, announced } = track()
  const { signal } = new AbortController()
  const subscribing = subscriptions.subscribe([server], subscribeTo('note:a', signal), client)
  expect(getEventListeners(signal, 'abort')).toHaveLength(1)
  await settle()
  subscriptions.onAcknowledged('s', ACKNOWLEDGEMENT)
  await subscribing
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  expect(timeouts).toHaveLength(1)
  for (const late of timeouts) late.abort()
  expect(signals.map(({ aborted }) => aborted)).toEqual([false])
  subscriptions.onAcknowledged('s', ACKNOWLEDGEMENT)
  expect(announced).toEqual([['notifications/resources/updated', { uri: 'note:a' }]])
  await subscriptions.unsubscribe(subscribeTo('note:a', signal), client)
  expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  subscriptions.onAcknowledged('s', ACKNOWLEDGEMENT)
  expect(announced).toHaveLength(1)
  expect(subscriptions.areHeld()).toBe(false)
})

test('a client that has cancelled before leaves no stream open', async () => {
  const { server, signals } = createStreaming()
  const { subscriptions } = track()
  const cancelled = subscribeTo('note:a', AbortSignal.abort())
  await expect(subscriptions.subscribe([server], cancelled, client)).rejects.toThrow(
    'has not acknowledged',
  )
  expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  expect(subscriptions.areHeld()).toBe(false)
})

test.for(['2025-11-25', '2026-07-28'])(
  'a subscription that a server of MCP %s refuses is not held, and the next one asks again',
  async (version) => {
    const signals: AbortSignal[] = []
    const server = createSource(async (_method, _params, { signal }) => {
      signals.push(signal)
      return { kind: 'error', code: -32_002, message: 'no such resource' }
    }, version)
    const { subscriptions, announced, unhandled } = track()
    const { signal } = new AbortController()
    for (const _ of [1, 2])
      await expect(
        subscriptions.subscribe([server], subscribeTo('note:a', signal), client),
      ).rejects.toThrow('no such resource')
    await settle()
    expect(subscriptions.areHeld()).toBe(false)
    expect(signals).toHaveLength(2)
    // Only a stream would stay open.
    const isStream = version === '2026-07-28'
    expect(signals.map(({ aborted }) => aborted)).toEqual([isStream, isStream])
    subscriptions.onAcknowledged('s', ACKNOWLEDGEMENT)
    subscriptions.onLost('s')
    await settle()
    expect([announced, signals.length, unhandled]).toEqual([[], 2, []])
  },
)

test('the end of a subscription waits for its server, leaves no timer, and ends its renewal', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const steps: string[] = []
  const signals: AbortSignal[] = []
  const server = createSource(async (method, _params, { signal }) => {
    signals.push(signal)
    await settle(3)
    steps.push(method)
    return OK
  })
  const { subscriptions } = track()
  const { signal } = new AbortController()
  await subscriptions.subscribe([server], subscribeTo('note:a', signal), client)
  steps.push('subscribed')
  await subscriptions.unsubscribe(subscribeTo('note:a', signal), client)
  steps.push('unsubscribed')
  expect(steps).toEqual([
    'resources/subscribe',
    'subscribed',
    'resources/unsubscribe',
    'unsubscribed',
  ])
  expect(vi.getTimerCount()).toBe(0)
  expect(signals.at(-1)?.aborted).toBe(true)
})

test('the only client that goes before its server has answered ends the request to the server, and one of two does not', async () => {
  for (const others of [0, 1]) {
    const { server, signals } = createStreaming()
    const { subscriptions } = track()
    const leaving = new AbortController()
    const { signal } = new AbortController()
    const first = subscriptions.subscribe([server], subscribeTo('note:a', leaving.signal), client)
    const second =
      others === 1 &&
      subscriptions.subscribe([server], subscribeTo('note:a', signal), { ...client, id: 'd' })
    const outcome = Promise.allSettled([first, second])
    await settle()
    leaving.abort()
    await settle()
    expect(signals.map(({ aborted }) => aborted)).toEqual([others === 0])
    expect(subscriptions.areHeld()).toBe(others === 1)
    subscriptions.onAcknowledged('s', ACKNOWLEDGEMENT)
    const [{ status }] = await outcome
    expect(status).toBe(others === 0 ? 'rejected' : 'fulfilled')
  }
})
