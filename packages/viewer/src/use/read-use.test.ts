import { type ConversationStore, openStore } from '@toolblocks/conversation-store'
import { expect, onTestFinished, test } from 'vitest'
import { createUseReader } from './read-use.ts'
import type { UseSummary } from './sum-use.ts'
import { recordUse, servedTo } from './use.support.ts'

const NOON = Date.parse('2026-11-20T12:00:00Z')
const HOUR = 3_600_000
const DAY = 24 * HOUR

async function open(): Promise<ConversationStore> {
  const store = await openStore('memory:')
  onTestFinished(async () => await store.close())
  return store
}

/** Counts the pages of events that are read. */
function counting(store: ConversationStore): { store: ConversationStore; reads: string[] } {
  const reads: string[] = []
  const read: ConversationStore['read'] = async (id, request) => {
    reads.push(id)
    return await store.read(id, request)
  }
  return { store: { ...store, read }, reads }
}

const users = ({ users: sums }: UseSummary): readonly (readonly [string, number, number])[] =>
  sums.map(({ user, calls, failures }) => [user.name, calls, failures])

test('each client, tool and kind of failure is counted, with the times without those that people took', async () => {
  const store = await open()
  await recordUse(store, 'of-ann', {
    values: servedTo('Ann'),
    at: NOON,
    calls: [
      { tool: 'files__read', took: 100 },
      { tool: 'files__read', took: 200 },
      { tool: 'files__read', took: 5000, waited: 4700 },
      { tool: 'files__write', outcome: 'timeout', took: 30_000 },
    ],
  })
  await recordUse(store, 'of-ann-again', {
    values: servedTo('Ann'),
    at: NOON + HOUR,
    calls: [{ tool: 'files__write', outcome: 'failed' }],
  })
  await recordUse(store, 'of-ben', {
    values: servedTo('Ben'),
    at: NOON + 2 * HOUR,
    calls: [{ tool: 'files__read', outcome: 'none' }],
  })
  const use = await createUseReader(store).read(NOON - HOUR)
  expect(users(use)).toEqual([
    ['Ann', 5, 2],
    ['Ben', 1, 0],
  ])
  expect(use.users[0]?.last).toMatchObject({ conversation: 'of-ann-again', seq: 2 })
  expect(use.tools).toEqual([
    {
      tool: 'files__read',
      calls: 4,
      failures: 0,
      times: { middle: 200, most: 300, slowest: expect.objectContaining({ took: 300, seq: 6 }) },
    },
    expect.objectContaining({ tool: 'files__write', calls: 2, failures: 2 }),
  ])
  expect(use.failures).toMatchObject([
    { kind: 'failed', calls: 1, newest: [{ conversation: 'of-ann-again', seq: 2 }] },
    { kind: 'timeout', calls: 1, newest: [{ conversation: 'of-ann', seq: 10 }] },
  ])
  expect(use).toMatchObject({ calls: 6, conversations: 3, damaged: 0 })
  expect(use.uncounted).toBeUndefined()
})

test('a user is known by credentials, else as the client names itself, else by the command; an agent uses tools for whoever started it', async () => {
  const store = await open()
  const calls = [{ tool: 'count' }]
  await recordUse(store, 'one', { values: servedTo('Ann', 'a'), at: NOON, calls })
  await recordUse(store, 'two', { values: servedTo('Ann', 'b'), at: NOON, calls })
  await recordUse(store, 'three', {
    values: { command: 'serve', client: { name: 'codex' } },
    at: NOON,
    calls,
  })
  await recordUse(store, 'four', { values: { command: 'chat' }, at: NOON, calls })
  await recordUse(store, 'five', {
    values: { parent: { conversationId: 'one', callId: 'x' } },
    at: NOON,
    calls,
  })
  await recordUse(store, 'codex-six', { at: NOON, calls })
  const use = await createUseReader(store).read(NOON - HOUR)
  const kinds = use.users.map(({ user, calls: count }) => `${user.kind} ${user.name} ${count}`)
  expect(kinds.toSorted()).toEqual([
    'command chat 1',
    'imported codex 1',
    'named codex 1',
    'proved Ann 1',
    'proved Ann 2',
  ])
})

test('calls that a client is refused count for whom its credentials prove, never for the name that it gives itself', async () => {
  const store = await open()
  const client = { name: 'Ann' }
  const calls = [{ tool: 'hidden', outcome: 'denied' as const }]
  await recordUse(store, 'ann', { values: servedTo('Ann'), at: NOON, calls: [{ tool: 'count' }] })
  await recordUse(store, 'bob', { values: servedTo('Bob'), at: NOON, calls: [{ tool: 'count' }] })
  await recordUse(store, 'refused', {
    values: { command: 'serve', client, identity: { name: 'Bob' }, refused: '["client","Bob"]' },
    at: NOON,
    calls,
  })
  for (const [index, rest] of [
    {},
    { identity: { name: 'Ann' } },
    { refused: '["client","Ann"]' },
  ].entries())
    await recordUse(store, `named-${index}`, {
      values: { command: 'serve', client, ...rest },
      at: NOON,
      calls,
    })
  const use = await createUseReader(store).read(NOON - HOUR)
  const sums = use.users.map(({ user, calls: count }) => `${user.kind} ${user.name} ${count}`)
  expect(sums.toSorted()).toEqual(['named Ann 3', 'proved Ann 1', 'proved Bob 2'])
})

test('only what happened since a time is counted, and conversations that have not changed since then are not read', async () => {
  const { store, reads } = counting(await open())
  await recordUse(store, 'old', {
    values: servedTo('Old'),
    at: NOON - 9 * DAY,
    calls: [{ tool: 'a' }],
  })
  await recordUse(store, 'both', {
    values: servedTo('Ann'),
    at: NOON - 3 * DAY,
    calls: [{ tool: 'a' }],
  })
  await recordUse(store, 'both', { at: NOON, calls: [{ tool: 'a' }] })
  const reader = createUseReader(store)
  reads.length = 0
  expect((await reader.read(NOON - DAY)).calls).toBe(1)
  expect(new Set(reads)).toEqual(new Set(['both']))
  expect((await reader.read(NOON - 7 * DAY)).calls).toBe(2)
  expect((await reader.read(NOON - 30 * DAY)).calls).toBe(3)
  expect((await reader.read(NOON - DAY)).calls).toBe(1)
})

test('what was read is kept, and of a conversation that grows only what is new is read', async () => {
  const { store, reads } = counting(await open())
  const calls = Array.from({ length: 2000 }, () => ({ tool: 'a' }))
  await recordUse(store, 'long', { values: servedTo('Ann'), at: NOON, calls })
  await recordUse(store, 'other', { values: servedTo('Ben'), at: NOON, calls: [{ tool: 'b' }] })
  const reader = createUseReader(store)
  await reader.read(NOON - HOUR)
  reads.length = 0
  expect((await reader.read(NOON - HOUR)).calls).toBe(2001)
  expect(reads).toEqual([])
  await recordUse(store, 'long', { at: NOON + 3 * HOUR, calls: [{ tool: 'a', outcome: 'failed' }] })
  reads.length = 0
  expect(users(await reader.read(NOON - HOUR))).toEqual([
    ['Ann', 2001, 1],
    ['Ben', 1, 0],
  ])
  // The last known event, and the new ones.
  expect(reads).toEqual(['long', 'long'])
})

test('a result that comes later belongs to its call, and a conversation that has begun again is read again', async () => {
  const store = await open()
  await recordUse(store, 'one', {
    values: servedTo('Ann'),
    at: NOON,
    calls: [{ tool: 'slow', outcome: 'none' }],
  })
  const reader = createUseReader(store)
  expect((await reader.read(NOON - HOUR)).tools).toEqual([{ tool: 'slow', calls: 1, failures: 0 }])
  const result = { id: '0-0', content: [], isError: true }
  await store.append('one', 2, [
    { event: { type: 'tool_result', result }, at: new Date(NOON + 5000).toISOString() },
  ])
  expect((await reader.read(NOON - HOUR)).tools).toMatchObject([
    { tool: 'slow', failures: 1, times: { middle: 5000 } },
  ])
  await store.delete('one')
  await recordUse(store, 'one', { values: servedTo('Ben'), at: NOON + 1, calls: [{ tool: 'b' }] })
  expect(users(await reader.read(NOON - HOUR))).toEqual([['Ben', 1, 0]])
})

test('what was scrubbed is forgotten after ten minutes', async () => {
  const store = await open()
  let time = NOON
  const values = servedTo('Ann-secret-7781', 'a')
  await recordUse(store, 'one', { values, at: NOON, calls: [{ tool: 'a' }] })
  const reader = createUseReader(store, { now: () => time })
  await reader.read(NOON - HOUR)
  await store.scrub({ secret: 'Ann-secret-7781' })
  time += 10 * 60_000
  expect(JSON.stringify(await reader.read(NOON - HOUR))).not.toContain('7781')
})

test('at most so many events are read at once: the newest first, then, when it is read again, earlier ones', async () => {
  const store = await open()
  const calls = Array.from({ length: 300 }, () => ({ tool: 'a' }))
  for (const day of [3, 2, 1])
    await recordUse(store, `day-${day}`, {
      values: servedTo(`Day ${day}`),
      at: NOON - day * DAY,
      calls,
    })
  const reader = createUseReader(store, { maxEvents: 600 })
  const first = await reader.read(NOON - 7 * DAY)
  expect(first.uncounted).toBe('unread')
  expect(users(first)).toEqual([['Day 1', 300, 0]])
  await reader.read(NOON - 7 * DAY)
  const third = await reader.read(NOON - 7 * DAY)
  expect(third.uncounted).toBeUndefined()
  expect(third.calls).toBe(900)
})

test('of a conversation with too many events the newest are counted, and it is not read again each time', async () => {
  const { store, reads } = counting(await open())
  const calls = Array.from({ length: 2000 }, () => ({ tool: 'a' }))
  await recordUse(store, 'long', { values: servedTo('Ann'), at: NOON, calls })
  const reader = createUseReader(store, { maxEvents: 1000 })
  expect(await reader.read(NOON - HOUR)).toMatchObject({ uncounted: 'unread', calls: 500 })
  reads.length = 0
  expect(await reader.read(NOON - HOUR)).toMatchObject({ uncounted: 'unread', calls: 500 })
  expect(reads).toEqual([])
})

test('above the most calls, earlier conversations are not counted', async () => {
  const store = await open()
  for (const day of [3, 2, 1])
    await recordUse(store, `day-${day}`, {
      values: servedTo(`Day ${day}`),
      at: NOON - day * DAY,
      calls: [{ tool: 'a' }, { tool: 'b' }],
    })
  const reader = createUseReader(store, { maxCalls: 3 })
  const use = await reader.read(NOON - 7 * DAY)
  expect(use).toMatchObject({ calls: 4, uncounted: 'many' })
  expect(use.users.map(({ user }) => user.name).toSorted()).toEqual(['Day 1', 'Day 2'])
})
