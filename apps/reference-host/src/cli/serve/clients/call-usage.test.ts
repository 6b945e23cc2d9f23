import { openStore } from '@toolblocks/conversation-store'
import { createSuccessResult } from '@toolblocks/protocol'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type CallUsage, createCallUsage } from './call-usage.ts'
import { limitCalls } from './limit-calls.ts'

const ok = createSuccessResult([{ type: 'text', text: 'ok' }])
const ANN = { id: 'ann', name: 'ann' }
const CALL = { arguments: {} }
const NONE = { atATime: Infinity, aMinute: Infinity, bytesAMinute: Infinity }

async function setUp(exchangeMs = 50) {
  const store = await openStore('memory:')
  onTestFinished(async () => await store.close())
  const { documents } = store
  const used = {
    write: vi.fn<typeof documents.write>(documents.write),
    list: vi.fn<typeof documents.list>(documents.list),
  }
  const open = (): CallUsage => {
    const usage = createCallUsage({ ...documents, ...used }, { exchangeMs })
    onTestFinished(async () => await usage.close())
    return usage
  }
  return { open, used, documents }
}

test('the limits of a client hold for the calls of all replicas', async () => {
  const { open } = await setUp()
  const [first, second] = [open(), open()]
  const limitAt = (usage: CallUsage) => limitCalls(usage, ANN, { ...NONE, aMinute: 2 })
  expect((await limitAt(first)(CALL, async () => ok)).isError).toBe(false)
  expect((await limitAt(second)(CALL, async () => ok)).isError).toBe(false)
  await vi.waitFor(async () => {
    expect((await limitAt(first)(CALL, async () => ok)).isError).toBe(true)
    expect((await limitAt(second)(CALL, async () => ok)).isError).toBe(true)
  })
  expect(
    (
      await limitCalls(
        first,
        { id: 'ben', name: 'ben' },
        { ...NONE, aMinute: 2 },
      )(CALL, async () => ok)
    ).isError,
  ).toBe(false)
})

test('a replica that begins later asks before its first call', async () => {
  const { open, documents } = await setUp(1000)
  const first = open()
  const { promise, resolve } = Promise.withResolvers<typeof ok>()
  const limits = { ...NONE, atATime: 1 }
  const running = limitCalls(first, ANN, limits)(CALL, async () => await promise)
  // The first exchange came before the call; the next one says that it runs.
  await vi.waitFor(async () => {
    const { documents: written } = await documents.list('serve-usage')
    expect(written[0]?.value).toEqual([['ann', 1, expect.anything()]])
  }, 10_000)
  const second = open()
  const refused = await limitCalls(second, ANN, limits)(CALL, async () => ok)
  expect(JSON.stringify(refused.content)).toContain('may make 1 at a time, and 1 run or wait now')
  resolve(ok)
  expect(await running).toBe(ok)
})

test('calls need no request to the store of their own', async () => {
  const { open, used } = await setUp(10_000)
  const usage = open()
  const limit = limitCalls(usage, ANN, { ...NONE, aMinute: 1000, bytesAMinute: 1e6 })
  for (let count = 0; count < 100; count += 1) await limit(CALL, async () => ok)
  expect(used.write).toHaveBeenCalledTimes(1)
  expect(used.list).toHaveBeenCalledTimes(1)
  expect(usage.read('ann').spent.reduce((sum, { calls }) => sum + calls, 0)).toBe(100)
})

test('without limits, nothing is counted; without the store, each replica counts alone', async () => {
  const { open, used } = await setUp()
  const usage = open()
  await limitCalls(usage, ANN, NONE)(CALL, async () => ok)
  expect(used.write).not.toHaveBeenCalled()
  used.write.mockRejectedValue(new Error('the store is gone'))
  const limit = limitCalls(usage, ANN, { ...NONE, aMinute: 1 })
  expect((await limit(CALL, async () => ok)).isError).toBe(false)
  expect((await limit(CALL, async () => ok)).isError).toBe(true)
})

test('what a replica has counted is removed when it ends', async () => {
  const { open, documents } = await setUp()
  const usage = open()
  await limitCalls(usage, ANN, { ...NONE, aMinute: 1 })(CALL, async () => ok)
  expect((await documents.list('serve-usage')).documents).toHaveLength(1)
  await usage.close()
  expect((await documents.list('serve-usage')).documents).toEqual([])
})
