import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { createFairQueue, type FairQueue } from './fair-queue.ts'

const settle = async (): Promise<void> => await new Promise(setImmediate)

/** Runs work that the test ends. `started`: the clients whose work was started, in order. */
function createWork(queue: FairQueue) {
  const started: string[] = []
  return {
    started,
    run: (client: string, signal = new AbortController().signal) => {
      const { promise, resolve: end } = Promise.withResolvers<void>()
      const over = queue.run({ client, signal }, async () => {
        started.push(client)
        await promise
      })
      over.catch(() => undefined)
      return { end, over }
    },
  }
}

test('a client has as many places after a call that has ended as before', async () => {
  const { run, started } = createWork(createFairQueue({ maxRunning: 3 }))
  const first = run('one')
  first.end()
  await first.over
  for (let count = 0; count < 3; count += 1) run('one')
  await settle()
  expect(started).toHaveLength(4)
})

test('a client that has left the queue comes after those who wait', async () => {
  const { run, started } = createWork(createFairQueue({ maxRunning: 1 }))
  const first = run('running')
  const leaving = new AbortController()
  const left = run('one', leaving.signal)
  run('two')
  leaving.abort(new Error('left'))
  await expect(left.over).rejects.toThrow('left')
  run('one')
  first.end()
  await settle()
  expect(started).toEqual(['running', 'two'])
})

test('a call that was cancelled before it comes does not wait', async () => {
  const { run } = createWork(createFairQueue({ maxRunning: 1 }))
  run('running')
  await expect(run('one', AbortSignal.abort(new Error('before'))).over).rejects.toThrow('before')
})

test('a call that has waited leaves no listener at its signal', async () => {
  const { run, started } = createWork(createFairQueue({ maxRunning: 1 }))
  const first = run('running')
  const { signal } = new AbortController()
  run('one', signal)
  expect(getEventListeners(signal, 'abort')).toHaveLength(1)
  first.end()
  await settle()
  expect(started).toEqual(['running', 'one'])
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
})

test('work that fails while its place is lent takes its place again, and then gives it back', async () => {
  const queue = createFairQueue({ maxRunning: 1 })
  const { signal } = new AbortController()
  const failing = queue.run(
    { client: 'one', signal },
    async ({ lend }) => await lend(async () => await Promise.reject(new Error('no answer'))),
  )
  await expect(failing).rejects.toThrow('no answer')
  const { run, started } = createWork(queue)
  run('two')
  run('three')
  await settle()
  expect(started).toEqual(['two'])
})
