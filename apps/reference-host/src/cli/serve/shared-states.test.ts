import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '@toolblocks/conversation-store'
import { expect, onTestFinished, test } from 'vitest'
import { openSharedStates } from './shared-states.ts'

const HOUR = 3_600_000

/** Opens the same store twice, as two hosts do. */
async function openTwice(): Promise<[Store, Store]> {
  const folder = mkdtempSync(join(tmpdir(), 'toolblocks-states-'))
  const open = async (): Promise<Store> => {
    const store = await openStore(`sqlite:${join(folder, 'c.db')}`)
    onTestFinished(async () => await store.close())
    return store
  }
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return [await open(), await open()]
}

type Store = Awaited<ReturnType<typeof openStore>>

test('all servers of a store have the same key, also if they start at the same time', async () => {
  const stores = await openTwice()
  const keys = await Promise.all(
    [...stores, ...stores].map(async ({ documents }) => {
      const { stateKey } = await openSharedStates(documents)
      return Buffer.from(stateKey).toString('hex')
    }),
  )
  expect(new Set(keys).size).toBe(1)
  expect(keys[0]).toHaveLength(64)
  const [other] = await openTwice()
  const { stateKey } = await openSharedStates(other.documents)
  expect(Buffer.from(stateKey).toString('hex')).not.toBe(keys[0])
})

test('a key that is not usable is replaced', async () => {
  const [{ documents }] = await openTwice()
  const broken = { collection: 'serve-key', id: 'current', state: 'current', value: { key: 'x' } }
  await documents.write({ ...broken, version: 0 })
  const { stateKey } = await openSharedStates(documents)
  expect(stateKey).toHaveLength(32)
})

test('of many uses of a state at the same time, by several hosts, one counts', async () => {
  const shared = await Promise.all(
    (await openTwice()).map(async ({ documents }) => await openSharedStates(documents)),
  )
  const uses = Array.from({ length: 20 }, async (_, index) =>
    shared[index % 2]?.spendState('state', Date.now() + HOUR),
  )
  expect((await Promise.all(uses)).filter(Boolean)).toHaveLength(1)
})

test('a used state is forgotten a day after its end, and the number of remembered ones does not grow', async () => {
  const [{ documents }] = await openTwice()
  let now = 0
  const { spendState } = await openSharedStates(documents, () => now)
  const count = async (): Promise<number> =>
    (await documents.list('used-state', { limit: Infinity })).documents.length
  for (let index = 0; index < 20; index += 1) await spendState(`early-${index}`, HOUR)
  now = 24 * HOUR
  await spendState('on-time', now + HOUR)
  expect(await count()).toBe(21)
  now = 25 * HOUR + 1
  for (let index = 0; index < 10; index += 1) await spendState(`late-${index}`, now + HOUR)
  expect(await count()).toBe(11)
  expect(await spendState('on-time', now + HOUR)).toBe(false)
})

test('a store that fails refuses every use', async () => {
  const [store] = await openTwice()
  const { spendState } = await openSharedStates(store.documents)
  await store.close()
  await expect(spendState('state', Date.now() + HOUR)).rejects.toMatchObject({ code: 'closed' })
  await expect(openSharedStates(store.documents)).rejects.toMatchObject({ code: 'closed' })
})

test('old states are forgotten before a use has ended, and one that cannot be forgotten is no failure of it', async () => {
  const [{ documents }] = await openTwice()
  let now = 0
  let fails = false
  const log: string[] = []
  const { spendState } = await openSharedStates(
    {
      ...documents,
      remove: async (...removed) => {
        await new Promise(setImmediate)
        log.push('removed')
        if (fails) throw new Error('cannot be removed')
        return await documents.remove(...removed)
      },
    },
    () => now,
  )
  await spendState('old', HOUR)
  now = 26 * HOUR
  expect(await spendState('next', now + HOUR)).toBe(true)
  expect(log).toEqual(['removed'])
  now = 60 * HOUR
  fails = true
  expect(await spendState('last', now + HOUR)).toBe(true)
  expect(log).toEqual(['removed', 'removed'])
})
