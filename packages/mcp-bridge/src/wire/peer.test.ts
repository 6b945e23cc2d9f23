import { getEventListeners } from 'node:events'
import type { JsonObject } from '@toolblocks/protocol'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type RpcMessage, readMessages, RpcError } from './message.ts'
import { type Hearing, openPeer, type PeerListener, type Wire } from './peer.ts'

const LOST = { kind: 'lost', reason: 'it was cut', maybeExecuted: true, transient: true } as const
const { signal } = new AbortController()

/** Connects two peers; returns their messages in order, and the end of our wire. */
function connect(ours: Partial<PeerListener> = {}, theirs: Partial<PeerListener> = {}) {
  const ends: Hearing[] = []
  const sent: RpcMessage[] = []
  const wireTo = (other: number): Wire => ({
    start: (hearing) => void ends.push(hearing),
    send: async (message) => {
      for (const read of readMessages(structuredClone(message))) {
        sent.push(read)
        ends[other]?.onMessage(read)
      }
    },
    close: async () => undefined,
  })
  const none: PeerListener = { onRequest: async () => ({}), onNotification: () => undefined }
  const us = openPeer(wireTo(1), { ...none, ...ours })
  const them = openPeer(wireTo(0), { ...none, ...theirs })
  return { us, them, sent, end: ends[0] as Hearing }
}

/** Answers only after the request is cancelled; settles when a request has arrived. */
function untilCancelled() {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const { promise: over, resolve: end } = Promise.withResolvers<void>()
  const onRequest: PeerListener['onRequest'] = async (request) => {
    request.signal.addEventListener('abort', () => end())
    begin()
    await over
    return {}
  }
  return { begun, over, onRequest }
}

test('a request of any method is answered, in either direction and while another waits', async () => {
  const sentParams: JsonObject = { odd: [null, { deep: 1 }] }
  const answer: PeerListener['onRequest'] = async ({ method, params }) => ({ method, params })
  const { us, them } = connect({ onRequest: answer }, { onRequest: answer })
  const [one, other] = await Promise.all([
    us.request('vendor/anything', sentParams, { signal }),
    them.request('vendor/back', {}, { signal }),
  ])
  expect(one).toEqual({ kind: 'result', result: { method: 'vendor/anything', params: sentParams } })
  expect(other).toEqual({ kind: 'result', result: { method: 'vendor/back', params: {} } })
})

test('an answer whose id is a text instead of the number ends the request at once, and other ids end nothing', async () => {
  const { us, end } = connect({}, { onRequest: async () => await new Promise(() => {}) })
  const asked = us.request('a', {}, { signal })
  for (const id of ['2', 'x', '', 7]) end.onMessage({ kind: 'response', id, result: {} })
  end.onMessage({ kind: 'response', id: '1', result: {} })
  expect(await asked).toMatchObject({
    kind: 'loss',
    loss: {
      kind: 'not-understood',
      reason: 'the server answered the request 1 with the id "1", a string instead of the number',
    },
  })
})

test.for<[unknown, object]>([
  [new RpcError(-7, 'no', { why: 1 }), { code: -7, message: 'no', data: { why: 1 } }],
  [Object.assign(new Error('no'), { code: -32_021 }), { code: -32_021, message: 'no' }],
  [Object.assign(new Error('no'), { code: 'ENOENT' }), { code: -32_603, message: 'no' }],
  ['no', { code: -32_603, message: 'no' }],
])('a request that is not answered gets the error %o', async ([error, expected]) => {
  const { us } = connect({}, { onRequest: async () => await Promise.reject(error) })
  expect(await us.request('x', {}, { signal })).toEqual({ kind: 'error', ...expected })
})

test('an error says whether the other side has sent a request meanwhile, except a ping', async () => {
  const { us, them } = connect(
    { onRequest: async () => ({}) },
    {
      onRequest: async ({ method }) => {
        await them.request(method, {}, { signal })
        throw new RpcError(-32_601, 'no')
      },
    },
  )
  expect(await us.request('roots/list', {}, { signal })).toMatchObject({ hasBegun: true })
  expect(await us.request('ping', {}, { signal })).toEqual({
    kind: 'error',
    code: -32_601,
    message: 'no',
  })
})

test('a cancelled request is cancelled on the other side, which sends no answer', async () => {
  const { begun, over, onRequest } = untilCancelled()
  const { us, sent } = connect({}, { onRequest })
  const ending = new AbortController()
  const reply = us.request('x', {}, { signal: ending.signal })
  await begun
  ending.abort('enough')
  expect(await reply).toEqual({ kind: 'aborted' })
  await over
  await new Promise(setImmediate)
  expect(sent.slice(1)).toEqual([
    {
      kind: 'notification',
      method: 'notifications/cancelled',
      params: { requestId: 1, reason: 'enough' },
    },
  ])
})

test('a request that the next message cancels is not started', async () => {
  const onRequest = vi.fn<PeerListener['onRequest']>()
  const { us, sent } = connect({}, { onRequest })
  const ending = new AbortController()
  const reply = us.request('x', {}, { signal: ending.signal })
  ending.abort()
  expect(await reply).toEqual({ kind: 'aborted' })
  await new Promise(setImmediate)
  expect(onRequest).not.toHaveBeenCalled()
  expect(sent).toHaveLength(2)
})

test('an id that waits for its answer cannot be used again, and its request continues', async () => {
  const { begun, onRequest } = untilCancelled()
  const { sent, end } = connect({ onRequest })
  end.onMessage({ kind: 'request', id: 'a', method: 'x', params: {} })
  await begun
  end.onMessage({ kind: 'request', id: 'a', method: 'x', params: {} })
  await vi.waitUntil(() => sent.length === 1)
  expect(sent[0]).toMatchObject({ kind: 'error', id: 'a', error: { code: -32_600 } })
  end.onMessage({
    kind: 'notification',
    method: 'notifications/cancelled',
    params: { requestId: 'a' },
  })
})

test('an end ends everything that waits, in both directions, and later requests are not executed', async () => {
  const { begun, over, onRequest } = untilCancelled()
  const { us, them, end } = connect({ onRequest }, { onRequest: untilCancelled().onRequest })
  const reply = us.request('x', {}, { signal })
  void them.request('y', {}, { signal })
  await begun
  end.onEnd(LOST)
  expect(await reply).toEqual({ kind: 'loss', loss: LOST })
  expect(await us.ended).toEqual(LOST)
  await over
  expect(await us.request('x', {}, { signal })).toEqual({
    kind: 'loss',
    loss: { ...LOST, maybeExecuted: false },
  })
})

test('a loss belongs to one request, and an answer to an unknown request is dropped', async () => {
  const { us, end } = connect({}, { onRequest: untilCancelled().onRequest })
  const [one, other] = ['x', 'y'].map((method) => us.request(method, {}, { signal }))
  end.onMessage({ kind: 'response', id: 99, result: {} })
  end.onLoss(1, LOST)
  end.onMessage({ kind: 'response', id: 2, result: 'as it came' })
  expect(await Promise.all([one, other])).toEqual([
    { kind: 'loss', loss: LOST },
    { kind: 'result', result: 'as it came' },
  ])
})

test('a listener that throws receives later messages', async () => {
  const heard: string[] = []
  const onNotification = (method: string): void => {
    heard.push(method)
    throw new Error('no')
  }
  const { them } = connect({ onNotification })
  await them.notify('one', {})
  await them.notify('two', {})
  expect(heard).toEqual(['one', 'two'])
})

test('each message is reported unchanged, with its direction', async () => {
  const messages: unknown[] = []
  const onMessage = (message: unknown): void => void messages.push(message)
  const { us } = connect({ onMessage }, { onRequest: async () => ({ done: true }) })
  await us.request('x', { a: 1 }, { signal })
  expect(messages).toEqual([
    { direction: 'sent', message: { jsonrpc: '2.0', id: 1, method: 'x', params: { a: 1 } } },
    { direction: 'received', message: { jsonrpc: '2.0', id: 1, result: { done: true } } },
  ])
})

test('a request that cannot be sent is a loss, was not executed, and leaves no listener', async () => {
  const ending = new AbortController()
  const send = async (): Promise<never> => await Promise.reject(new Error('the pipe is closed'))
  const wire: Wire = { start: () => undefined, send, close: async () => undefined }
  const peer = openPeer(wire, { onRequest: async () => ({}), onNotification: () => undefined })
  expect(await peer.request('x', {}, { signal: ending.signal })).toEqual({
    kind: 'loss',
    loss: {
      kind: 'lost',
      reason: 'it could not be sent',
      serverText: 'the pipe is closed',
      maybeExecuted: false,
      transient: true,
    },
  })
  expect(getEventListeners(ending.signal, 'abort')).toEqual([])
  await expect(peer.notify('y', {})).rejects.toThrow('the pipe is closed')
})

test('closing ends waiting requests as closed, and then the wire', async () => {
  let isClosed = false
  const wire: Wire = {
    start: () => undefined,
    send: async () => undefined,
    close: async () => void (isClosed = true),
  }
  const peer = openPeer(wire, { onRequest: async () => ({}), onNotification: () => undefined })
  const reply = peer.request('x', {}, { signal })
  await peer.close()
  expect(await reply).toMatchObject({
    kind: 'loss',
    loss: { kind: 'closed', maybeExecuted: true, transient: false },
  })
  expect(isClosed).toBe(true)
})

test('a cancellation and an answer that cannot be sent are no unhandled rejections', async () => {
  const unhandled: unknown[] = []
  const note = (error: unknown): void => void unhandled.push(error)
  process.on('unhandledRejection', note)
  onTestFinished(() => void process.off('unhandledRejection', note))
  const hearings: Hearing[] = []
  const wire: Wire = {
    start: (hearing) => void hearings.push(hearing),
    send: async ({ id, method }) => {
      if (method === 'notifications/cancelled' || id === 7) throw new Error('the pipe is closed')
    },
    close: async () => undefined,
  }
  const peer = openPeer(wire, { onRequest: async () => ({}), onNotification: () => undefined })
  const ending = new AbortController()
  const reply = peer.request('x', {}, { signal: ending.signal })
  ending.abort()
  expect(await reply).toEqual({ kind: 'aborted' })
  hearings[0]?.onMessage({ kind: 'request', id: 7, method: 'y', params: {} })
  await new Promise(setImmediate)
  expect(unhandled).toEqual([])
})

test('closing waits until the wire has ended, and a notification until it was sent', async () => {
  const steps: string[] = []
  const slowly = async (what: string): Promise<void> => {
    await new Promise(setImmediate)
    steps.push(what)
  }
  const wire: Wire = {
    start: () => undefined,
    send: async () => await slowly('sent'),
    close: async () => await slowly('wire closed'),
  }
  const peer = openPeer(wire, { onRequest: async () => ({}), onNotification: () => undefined })
  await peer.notify('x', {})
  steps.push('notified')
  await peer.close()
  steps.push('closed')
  expect(steps).toEqual(['sent', 'notified', 'wire closed', 'closed'])
})
