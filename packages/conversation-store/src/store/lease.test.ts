import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '../open-store.ts'
import type { Documents } from './documents.ts'
import { acquireLease, type Lease, type LeaseOptions, readLeaseHolder } from './lease.ts'

const DURATION_MS = 150

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
  // Its renewals do not arrive until the other host has the lease.
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
  const lost = await hold(slow, 'one')
  const start = performance.now()
  await hold(documents, 'two')
  expect(performance.now() - start).toBeGreaterThanOrEqual(DURATION_MS - 10)
  gate.resolve()
  await expect.poll(() => lost.lost.aborted).toBe(true)
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
  const first = await hold(slow, 'one')
  await (await hold(documents, 'two')).release()
  const third = await hold(documents, 'three')
  gate.resolve()
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
