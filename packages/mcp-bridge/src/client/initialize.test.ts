import { getEventListeners } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { type NewConnection, whileConnecting } from './initialize.ts'

const connection = (signal: AbortSignal): NewConnection => ({
  server: 's',
  wire: { start: () => undefined, send: async () => undefined, close: async () => undefined },
  asking: { server: 's', calls: { all: () => [] } as never, hooks: {} },
  listener: { onNotification: () => undefined },
  signal,
})

test('a step of connecting that has ended leaves no listener at the signal, whatever its end was', async () => {
  const { signal } = new AbortController()
  expect(await whileConnecting(Promise.resolve(1), connection(signal))).toBe(1)
  const failing = whileConnecting(Promise.reject(new Error('no')), connection(signal))
  await expect(failing).rejects.toThrow('no')
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
})

test('a step that was cancelled, also before it began, may fail later', async () => {
  const unhandled: unknown[] = []
  const note = (error: unknown): void => void unhandled.push(error)
  process.on('unhandledRejection', note)
  onTestFinished(() => void process.off('unhandledRejection', note))
  for (const isEarly of [false, true]) {
    const { promise, reject } = Promise.withResolvers<never>()
    const ending = new AbortController()
    if (isEarly) ending.abort()
    const step = whileConnecting(promise, connection(ending.signal))
    if (!isEarly) ending.abort()
    await expect(step).rejects.toMatchObject({ name: 'McpServerError' })
    reject(new Error('late'))
    await new Promise(setImmediate)
  }
  expect(unhandled).toEqual([])
})
