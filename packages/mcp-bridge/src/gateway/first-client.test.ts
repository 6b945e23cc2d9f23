import { getEventListeners } from 'node:events'
import type { ServedClient } from '../server/served-features.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createGateway } from './create-gateway.ts'

const client: ServedClient = {
  id: 'c',
  protocolVersion: '2026-07-28',
  capabilities: { sampling: {} },
  identity: '',
  request: async () => ({ kind: 'result', result: { from: 'c' } }),
  notify: () => undefined,
}
const call = { id: 'x', name: 't', arguments: {} }
const context = { signal: new AbortController().signal, root: '/' }

test('a request of a server waits for the first call of the client, which answers it, and leaves no listener and no timer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const gateway = createGateway({ capabilities: { sampling: {} } })
  const { signal } = new AbortController()
  const asked = gateway.createHooks('s').createMessage?.({}, signal)
  const { promise: over, resolve: end } = Promise.withResolvers<void>()
  await new Promise(setImmediate)
  expect(getEventListeners(signal, 'abort')).toHaveLength(1)
  expect(vi.getTimerCount()).toBe(1)
  const running = gateway.during(async () => {
    await over
    return { content: [], isError: false }
  })(call, context, client)
  expect(await asked).toEqual({ from: 'c' })
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  expect(vi.getTimerCount()).toBe(0)
  end()
  await running
})

test.for([
  ['has been cancelled', 'abort'],
  ['has waited for ten seconds', 'time'],
] as const)('a request of a server that %s does not wait for a client', async ([, how]) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const ending = new AbortController()
  const asked = createGateway({ capabilities: { sampling: {} } })
    .createHooks('s')
    .createMessage?.({}, ending.signal)
  const refused = asked?.catch((error: unknown) => String(error))
  await new Promise(setImmediate)
  if (how === 'abort') ending.abort()
  else vi.advanceTimersByTime(10_000)
  expect(await refused).toContain('It is unknown which call of which client')
})

test('a call that has failed is over: no request of a server belongs to it', async () => {
  const gateway = createGateway(client)
  const calling = gateway.during(async () => await Promise.reject(new Error('no')))
  await expect(calling(call, context, client)).rejects.toThrow('no')
  expect(gateway.hasCall('x')).toBe(false)
})
