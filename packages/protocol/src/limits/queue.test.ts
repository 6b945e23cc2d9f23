import { randomBytes } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { createQueue, createQueues } from './queue.ts'

const nextTurn = async (): Promise<void> => await new Promise((next) => setImmediate(next))

test.for([1, 3])(
  'at most %i tasks run at a time, in the order of their arrival',
  async (places) => {
    const queue = createQueue(places)
    const began: number[] = []
    const ends = Array.from({ length: 5 }, () => Promise.withResolvers<void>())
    const all = ends.map(
      async ({ promise }, index) =>
        await queue(async () => (began.push(index), await promise, index)),
    )
    await nextTurn()
    expect(began).toEqual([0, 1, 2].slice(0, places))
    for (const [index, end] of ends.entries()) {
      end.resolve()
      await nextTurn()
      expect(began).toHaveLength(Math.min(5, index + 1 + places))
    }
    expect(await Promise.all(all)).toEqual([0, 1, 2, 3, 4])
    expect(began).toEqual([0, 1, 2, 3, 4])
  },
)

test('a task that fails frees its place', async () => {
  const queue = createQueue()
  await expect(queue(async () => await Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await queue(async () => 'next')).toBe('next')
})

test('a task whose signal aborts while it waits leaves immediately and is never started', async () => {
  const queue = createQueue()
  const open = Promise.withResolvers<string>()
  const host = new AbortController()
  const leaving = { signal: host.signal, whenAborted: () => 'left' }
  const begun: string[] = []
  const first = queue(async () => await open.promise)
  const second = queue(async () => (begun.push('second'), 'second'), leaving)
  const third = queue(async () => (begun.push('third'), 'third'))
  host.abort()
  expect(await second).toBe('left')
  expect(await queue(async () => 'too late', leaving)).toBe('left')
  expect(begun).toEqual([])
  open.resolve('first')
  expect(await Promise.all([first, third])).toEqual(['first', 'third'])
  expect(begun).toEqual(['third'])
})

test('a running task receives the abort itself', async () => {
  const host = new AbortController()
  const open = Promise.withResolvers<string>()
  const leaving = { signal: host.signal, whenAborted: () => 'left' }
  const work = createQueue()(async () => await open.promise, leaving)
  host.abort()
  open.resolve('done')
  expect(await work).toBe('done')
})

test('work of one key waits only for work of the same key', async () => {
  const queues = createQueues()
  const open = Promise.withResolvers<string>()
  const first = queues('a', async () => await open.promise)
  const second = queues('a', async () => 'second')
  expect(await queues('b', async () => 'other')).toBe('other')
  open.resolve('first')
  expect(await Promise.all([first, second])).toEqual(['first', 'second'])
  expect(await queues('a', async () => 'next')).toBe('next')
})

test('a key keeps its order while work of it runs, waits or leaves', async () => {
  const queues = createQueues()
  const host = new AbortController()
  const open = Promise.withResolvers<void>()
  const begun: string[] = []
  const first = queues('a', async () => await open.promise)
  const left = queues('a', async () => 'never', { signal: host.signal, whenAborted: () => 'left' })
  host.abort()
  expect(await left).toBe('left')
  const second = queues('a', async () => void begun.push('second'))
  await nextTurn()
  expect(begun).toEqual([])
  open.resolve()
  await Promise.all([first, second])
  expect(begun).toEqual(['second'])
})

test('a key without work takes no memory', async () => {
  const queues = createQueues()
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect !== 'function') throw new Error('there is no garbage collector')
  const measure = (): number => (collect(), process.memoryUsage().heapUsed)
  const before = measure()
  // Each key has 10,000 characters of its own.
  for (let index = 0; index < 5000; index++)
    await queues(randomBytes(5000).toString('hex'), async () => index)
  expect(measure() - before).toBeLessThan(20_000_000)
  expect(await queues('k', async () => 'usable')).toBe('usable')
})
