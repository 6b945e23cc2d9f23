import { expect, test } from 'vitest'
import { type PostgresClient, guardClient } from './postgres-client.ts'

/** Returns a client of a host, whose transactions return or throw the given values in order. */
function clientThat(...ends: readonly unknown[]): {
  client: PostgresClient
  tried: string[]
  closed: () => number
} {
  const tried: string[] = []
  let closed = 0
  const client: PostgresClient = {
    query: async () => [],
    inTransaction: async (kind, work) => {
      const end = ends[tried.push(kind) - 1]
      if (end !== undefined) throw end
      return await work(async () => [])
    },
    listen: async () => ({ leave: () => {} }),
    close: async () => void (closed += 1),
  }
  return { client, tried, closed: () => closed }
}

const lost = Object.assign(new Error('terminating connection'), { code: '57P01' })
const refused = Object.assign(new Error(''), { code: 'ECONNREFUSED', name: 'AggregateError' })
const broken = Object.assign(new Error('syntax error'), { code: '42601' })
const done = async (): Promise<string> => 'done'

test('repeats a read once if its connection was lost', async () => {
  const one = clientThat(lost)
  expect(await guardClient(one.client, 'p').inTransaction('snapshot', done)).toBe('done')
  expect(one.tried).toEqual(['snapshot', 'snapshot'])
  const two = clientThat(lost, lost)
  await expect(guardClient(two.client, 'p').inTransaction('snapshot', done)).rejects.toMatchObject({
    code: 'cannot-open',
    message: 'The store p cannot be reached: terminating connection.',
    cause: lost,
  })
  expect(two.tried).toHaveLength(2)
})

test('does not repeat a write, which may have been done although its answer was lost', async () => {
  const { client, tried } = clientThat(lost)
  await expect(guardClient(client, 'p').inTransaction('write', done)).rejects.toMatchObject({
    code: 'cannot-open',
  })
  expect(tried).toEqual(['write'])
})

test('reports any other failure at once, with its reason', async () => {
  const { client, tried } = clientThat(broken)
  await expect(guardClient(client, 'p').inTransaction('snapshot', done)).rejects.toMatchObject({
    code: 'failed',
    message: 'The store p failed: syntax error.',
    cause: broken,
  })
  expect(tried).toHaveLength(1)
  await expect(
    guardClient(clientThat(refused).client, 'p').inTransaction('write', done),
  ).rejects.toMatchObject({ message: 'The store p cannot be reached: AggregateError.' })
})

test('closing waits for running work, closes once, and refuses later calls', async () => {
  const { client, closed } = clientThat()
  const guarded = guardClient(client, 'p')
  const work = Promise.withResolvers<string>()
  const running = guarded.inTransaction('write', async () => await work.promise)
  const closing = Promise.all([guarded.close(), guarded.close()])
  await expect(guarded.query('SELECT 1')).rejects.toMatchObject({
    code: 'closed',
    message: 'The store p is closed.',
  })
  expect(closed()).toBe(0)
  work.resolve('done')
  expect(await running).toBe('done')
  await closing
  expect(closed()).toBe(1)
})
