import { expect, test } from 'vitest'
import { type Credential, keepInMemory } from './credential.ts'

const made = (accessToken: string): Credential => ({
  server: 'https://mcp.example/',
  issuer: 'https://login.example',
  client: { id: 'c' },
  accessToken,
})

const { server } = made('')

test('changes of one login run one after the other, also after one that failed', async () => {
  const store = keepInMemory()
  const seen: (string | undefined)[] = []
  const { promise: first, resolve: endFirst } = Promise.withResolvers<void>()
  const changes = [
    store.change(server, async (current) => {
      seen.push(current?.accessToken)
      await first
      return made('one')
    }),
    store.change(server, async () => {
      throw new Error('the second one')
    }),
    store.change(server, async (current) => {
      seen.push(current?.accessToken)
      return made('three')
    }),
  ]
  const ends = Promise.allSettled(changes)
  await new Promise(setImmediate)
  expect(seen).toEqual([undefined])
  endFirst()
  expect((await ends).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(seen).toEqual([undefined, 'one'])
  await expect(store.read(server)).resolves.toEqual(made('three'))
})

test('a signal ends the wait for another change at once, and what waited does not run', async () => {
  const store = keepInMemory()
  const { promise: stuck, resolve: release } = Promise.withResolvers<void>()
  const first = store.change(server, async () => {
    await stuck
    return made('one')
  })
  const ending = new AbortController()
  let hasRun = false
  const waiting = store.change(
    server,
    async () => {
      hasRun = true
      return undefined
    },
    ending.signal,
  )
  ending.abort(new Error('enough'))
  await expect(waiting).rejects.toThrow('enough')
  await expect(store.change(server, async () => undefined, ending.signal)).rejects.toThrow('enough')
  release()
  await first
  expect(hasRun).toBe(false)
  await expect(store.read(server)).resolves.toEqual(made('one'))
})

test('a change that has begun is finished in spite of its signal', async () => {
  const store = keepInMemory()
  const ending = new AbortController()
  const change = store.change(
    server,
    async () => {
      ending.abort(new Error('enough'))
      return made('one')
    },
    ending.signal,
  )
  await expect(change).resolves.toEqual(made('one'))
})
