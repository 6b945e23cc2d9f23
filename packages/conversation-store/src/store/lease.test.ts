import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openStore } from '../open-store.ts'
import type { Documents } from './documents.ts'
import {
  acquireLease,
  isLeaseHeld,
  type Lease,
  type LeaseOptions,
  readLeaseHolder,
} from './lease.ts'

/** A busy machine must still renew a lease in this time. */
const DURATION_MS = 1000

async function openDocuments(): Promise<Documents> {
  const store = await openStore('memory:')
  onTestFinished(async () => await store.close())
  return store.documents
}

/** Acquires the lease that nobody has, and returns it when the test ends. */
async function hold(
  documents: Parameters<typeof acquireLease>[0],
  holder: string,
  options: Partial<LeaseOptions> = {},
): Promise<Lease> {
  const result = await acquireLease(documents, 'c', {
    holder,
    durationMs: DURATION_MS,
    ...options,
  })
  if (!result.ok) throw new Error(`${result.holder} has the lease`)
  onTestFinished(async () => await result.lease.release())
  return result.lease
}

/** Documents whose writes after the first one do not arrive until `arrive` is called. */
function delayRenewals(documents: Documents): { slow: Documents; arrive: () => void } {
  const gate = Promise.withResolvers<void>()
  let writes = 0
  const slow: Documents = {
    ...documents,
    write: async (document) => {
      writes += 1
      if (writes > 1) await gate.promise
      return await documents.write(document)
    },
  }
  return { slow, arrive: gate.resolve }
}

test('a lease belongs to one host until it is released', async () => {
  const documents = await openDocuments()
  const lease = await hold(documents, 'one')
  expect(await readLeaseHolder(documents, 'c')).toBe('one')
  expect(await acquireLease(documents, 'c', { holder: 'two', durationMs: DURATION_MS })).toEqual({
    ok: false,
    holder: 'one',
  })
  await lease.release()
  expect(await readLeaseHolder(documents, 'c')).toBeUndefined()
  await hold(documents, 'two')
  expect(await readLeaseHolder(documents, 'c')).toBe('two')
})

test('a lease is renewed for longer than its duration', async () => {
  const documents = await openDocuments()
  const lease = await hold(documents, 'one')
  await pause(DURATION_MS * 3)
  expect(lease.lost.aborted).toBe(false)
  expect(await acquireLease(documents, 'c', { holder: 'two', durationMs: DURATION_MS })).toEqual({
    ok: false,
    holder: 'one',
  })
})

test('the lease of a host that does not renew it is taken after its duration, and the host learns that it has lost it', async () => {
  const documents = await openDocuments()
  const lease = await hold(delayRenewals(documents).slow, 'one')
  await hold(documents, 'two')
  await expect.poll(() => lease.lost.aborted).toBe(true)
  expect(await readLeaseHolder(documents, 'c')).toBe('two')
})

test('a host that cannot reach the store for the duration has lost its lease', async () => {
  const documents = await openDocuments()
  let isBroken = false
  const unreachable: Documents = {
    ...documents,
    write: async (document) => {
      if (isBroken) throw new Error('the connection is closed')
      return await documents.write(document)
    },
  }
  const lease = await hold(unreachable, 'one')
  isBroken = true
  await expect.poll(() => lease.lost.aborted).toBe(true)
  await expect(lease.release()).resolves.toBeUndefined()
})

test('a lease whose renewal gets no answer is lost after its duration, and can be released', async () => {
  const documents = await openDocuments()
  const lease = await hold(delayRenewals(documents).slow, 'one')
  await expect.poll(() => lease.lost.aborted).toBe(true)
  await expect(lease.release()).resolves.toBeUndefined()
  expect(await readLeaseHolder(documents, 'c')).toBe('one')
})

test('the lease of a host that is gone is taken at once', async () => {
  const documents = await openDocuments()
  await hold(documents, 'one', { durationMs: 60_000 })
  const lease = await hold(documents, 'two', {
    durationMs: 60_000,
    isGone: (holder) => holder === 'one',
  })
  expect(lease.lost.aborted).toBe(false)
  expect(await readLeaseHolder(documents, 'c')).toBe('two')
})

test('of several hosts at the same time, one acquires the lease', async () => {
  const documents = await openDocuments()
  const results = await Promise.all(
    Array.from({ length: 8 }, async (_, index) => {
      const holder = `host ${index}`
      return await acquireLease(documents, 'c', { holder, durationMs: DURATION_MS })
    }),
  )
  const held = results.flatMap((result) => (result.ok ? [result.lease] : []))
  expect(held).toHaveLength(1)
  await held[0]?.release()
})

test('a host that has lost its lease cannot renew the lease of a later holder', async () => {
  const documents = await openDocuments()
  const { slow, arrive } = delayRenewals(documents)
  const first = await hold(slow, 'one')
  await (await hold(documents, 'two')).release()
  const third = await hold(documents, 'three')
  arrive()
  await expect.poll(() => first.lost.aborted).toBe(true)
  expect(third.lost.aborted).toBe(false)
  expect(await readLeaseHolder(documents, 'c')).toBe('three')
})

test('the attempt to acquire a lease ends with its signal', async () => {
  const documents = await openDocuments()
  await hold(documents, 'one', { durationMs: 60_000 })
  const signal = AbortSignal.timeout(50)
  await expect(
    acquireLease(documents, 'c', { holder: 'two', durationMs: 60_000, signal }),
  ).rejects.toThrow(/abort|timeout/i)
})

test('a host is known to have a lease while it renews it, and not after it has released it', async () => {
  const documents = await openDocuments()
  const one = { holder: 'one', durationMs: DURATION_MS }
  expect(await isLeaseHeld(documents, 'c', one)).toBe(false)
  const lease = await hold(documents, 'one')
  await pause(DURATION_MS * 2)
  expect(await isLeaseHeld(documents, 'c', one)).toBe(true)
  expect(await isLeaseHeld(documents, 'c', { ...one, holder: 'two' })).toBe(false)
  expect(await isLeaseHeld(documents, 'c')).toBe(true)
  expect(await isLeaseHeld(documents, 'c', { ...one, isGone: () => true })).toBe(false)
  await lease.release()
  expect(await isLeaseHeld(documents, 'c', one)).toBe(false)
  expect(await isLeaseHeld(documents, 'c')).toBe(false)
})

test('a host that does not renew its lease is known not to have it after the duration', async () => {
  const documents = await openDocuments()
  const { slow, arrive } = delayRenewals(documents)
  await hold(slow, 'one')
  const one = { holder: 'one', durationMs: DURATION_MS }
  expect(await isLeaseHeld(documents, 'c', one)).toBe(true)
  await expect.poll(async () => await isLeaseHeld(documents, 'c', one)).toBe(false)
  arrive()
})

test.for([
  ['behind', -3_600_000],
  ['ahead', 3_600_000],
] as const)(
  'a host whose clock is an hour %s has its lease while it renews it, and not afterwards',
  async ([, distance]) => {
    const store = await openStore('memory:', { now: () => new Date(Date.now() + distance) })
    onTestFinished(async () => await store.close())
    const one = { holder: 'one', durationMs: DURATION_MS }
    const { slow, arrive } = delayRenewals(store.documents)
    const lease = await hold(store.documents, 'one')
    expect(await isLeaseHeld(store.documents, 'c', one)).toBe(true)
    await lease.release()
    await hold(slow, 'one')
    expect(await isLeaseHeld(store.documents, 'c', one)).toBe(false)
    arrive()
  },
)

test('the question whether a lease is held ends with its signal', async () => {
  const store = await openStore('memory:', { now: () => new Date(0) })
  onTestFinished(async () => await store.close())
  const long = { durationMs: 60_000 }
  await hold(store.documents, 'one', long)
  const signal = AbortSignal.timeout(50)
  await expect(
    isLeaseHeld(store.documents, 'c', { ...long, holder: 'one', signal }),
  ).rejects.toThrow(/abort|timeout/i)
})

/** The renewals of a lease, whose time the test sets. */
function useRenewals(): { renew: () => void } {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  return { renew: () => void vi.advanceTimersByTime(20_001) }
}

const LONG = { durationMs: 60_000 }

test('a host whose lease was taken learns it from its next renewal, long before the duration, and renews it no more', async () => {
  const { renew } = useRenewals()
  const documents = await openDocuments()
  const lease = await hold(documents, 'one', LONG)
  await hold(documents, 'two', { ...LONG, isGone: () => true })
  expect(vi.getTimerCount()).toBe(2)
  const lost = new Promise((done) => lease.lost.addEventListener('abort', done))
  renew()
  await lost
  expect(vi.getTimerCount()).toBe(1)
})

test('a lease that is released while it is renewed is free, and not renewed any more', async () => {
  const { renew } = useRenewals()
  const documents = await openDocuments()
  const { slow, arrive } = delayRenewals(documents)
  const lease = await hold(slow, 'one', LONG)
  renew()
  const released = lease.release()
  arrive()
  await released
  expect(await readLeaseHolder(documents, 'c')).toBeUndefined()
  expect(vi.getTimerCount()).toBe(0)
})

test('after a renewal that failed, the next one is tried', async () => {
  const { renew } = useRenewals()
  const documents = await openDocuments()
  const tries: string[] = []
  const flaky: Documents = {
    ...documents,
    write: async (document) => {
      tries.push(document.state)
      if (tries.length === 2) throw new Error('the connection is closed')
      return await documents.write(document)
    },
  }
  const lease = await hold(flaky, 'one', LONG)
  renew()
  await new Promise(setImmediate)
  renew()
  await new Promise(setImmediate)
  expect(tries).toEqual(['held', 'held', 'held'])
  expect(lease.lost.aborted).toBe(false)
  await lease.release()
  expect(await readLeaseHolder(documents, 'c')).toBeUndefined()
})

test('a lease is released without a failure if the store cannot be reached, and before the host continues if it can', async () => {
  useRenewals()
  const documents = await openDocuments()
  const isBroken: boolean[] = []
  const slow: Documents = {
    ...documents,
    write: async (document) => {
      await new Promise(setImmediate)
      if (isBroken.length > 0) throw new Error('the connection is closed')
      return await documents.write(document)
    },
  }
  const lease = await hold(slow, 'one', LONG)
  await lease.release()
  expect(await readLeaseHolder(documents, 'c')).toBeUndefined()
  const other = await hold(slow, 'two', LONG)
  isBroken.push(true)
  await expect(other.release()).resolves.toBeUndefined()
  expect(vi.getTimerCount()).toBe(0)
})
