import { type ConversationStore, openStore } from '@toolblocks/conversation-store'
import { openPendingQuestion, settlePendingQuestion } from '@toolblocks/inquiry/pending'
import { booleanQuestion, createFailure, type ToolResult } from '@toolblocks/protocol'
import { expect, onTestFinished, test } from 'vitest'
import { PARKED_CALLS } from '../../../workspace/questions/parked-call.ts'
import type { KeptCall } from './kept-call.ts'
import { openParkedCalls, type ParkedCalls } from './parked-calls.ts'

async function open(): Promise<ConversationStore> {
  const store = await openStore('memory:')
  onTestFinished(async () => await store.close())
  return store
}

function openHost(store: ConversationStore, conversation: string): ParkedCalls {
  const parked = openParkedCalls({ store, conversation, pending: { storage: store.documents } })
  onTestFinished(parked.close)
  return parked
}

function createKept(id: string, startedAt = new Date()): KeptCall {
  return {
    call: { id, name: 'write', arguments: {} },
    key: 'key',
    startedAt,
    ending: new AbortController(),
    isHarmless: false,
    result: Promise.resolve(createFailure('')),
    isParked: false,
    saveRunning: async () => undefined,
    forget: async () => undefined,
  }
}

async function recordResult(
  store: ConversationStore,
  conversation: string,
  result: ToolResult,
): Promise<void> {
  await store.append(conversation, 0, [
    { type: 'turn_start', turn: 1 },
    { type: 'tool_call', call: { id: result.id ?? '', name: 'write', arguments: {} } },
    { type: 'tool_result', result },
  ])
}

test('a call of a host that has not ended is not taken over, and one of an ended host by one host', async () => {
  const store = await open()
  const first = openHost(store, 'first')
  await first.save(createKept('a'), 'running')
  const others = ['second', 'third'].map((name) => openHost(store, name))
  const claimAll = async () =>
    await Promise.all(others.map(async ({ claim }) => await claim('key', undefined)))
  expect(await claimAll()).toEqual([undefined, undefined])
  await first.close()
  const claimed = await claimAll()
  expect(claimed.filter((each) => each?.kind === 'interrupted')).toHaveLength(1)
  expect(await claimAll()).toEqual([undefined, undefined])
})

test('the recorded result of a call that ended without its client is delivered once', async () => {
  const store = await open()
  const first = openHost(store, 'first')
  await first.save(createKept('a'), 'running')
  const result = { id: 'a', content: [{ type: 'text', text: 'done' }], isError: false } as const
  await recordResult(store, 'first', result)
  await first.close()
  const second = openHost(store, 'second')
  expect(await second.claim('key', undefined)).toMatchObject({ kind: 'ended', result })
  expect(await second.claim('key', undefined)).toBeUndefined()
})

test('a call that was cancelled with its host may have been executed', async () => {
  const store = await open()
  const first = openHost(store, 'first')
  await first.save(createKept('a'), 'running')
  await recordResult(store, 'first', { ...createFailure('cancelled', 'cancelled'), id: 'a' })
  await first.close()
  expect(await openHost(store, 'second').claim('key', undefined)).toMatchObject({
    kind: 'interrupted',
  })
})

test('a call of another key, one that was delivered, and one of more than an hour ago are not known', async () => {
  const store = await open()
  const first = openHost(store, 'first')
  await first.save(createKept('old', new Date(Date.now() - 61 * 60 * 1000)), 'running')
  const delivered = createKept('delivered')
  await first.save(delivered, 'running')
  await first.forget(delivered.call.id)
  await first.close()
  const second = openHost(store, 'second')
  expect(await second.claim('other key', undefined)).toBeUndefined()
  expect(await second.claim('key', undefined)).toBeUndefined()
  expect((await store.documents.list(PARKED_CALLS, {})).documents).toEqual([])
})

test('a result that was sent just before its host was killed is known to the next host', async () => {
  const store = await open()
  const first = openHost(store, 'first')
  await first.save(createKept('a'), 'running')
  await recordResult(store, 'first', { id: 'a', content: [], isError: false })
  await first.forget('a')
  const kill = async (host: string): Promise<void> => {
    const lease = await store.documents.read('lease', host)
    await store.documents.remove('lease', host, lease?.version ?? 0)
  }
  await kill('first')
  const second = openHost(store, 'second')
  expect(await second.claim('key', undefined)).toMatchObject({ kind: 'ended' })
  await second.forget('a')
  await kill('second')
  const third = openHost(store, 'third')
  expect(await third.claim('key', undefined)).toMatchObject({ kind: 'ended' })
  await third.forget('a')
  await third.close()
  expect(await openHost(store, 'fourth').claim('key', undefined)).toBeUndefined()
})

test('a call that got its answer from an ended host, and whose next host is killed, may have been executed', async () => {
  const store = await open()
  const pending = { storage: store.documents }
  const first = openHost(store, 'first')
  await first.save(createKept('a'), 'waiting')
  const { id } = await openPendingQuestion(
    {
      kind: 'question',
      call: createKept('a').call,
      conversation: 'first',
      turn: 1,
      request: booleanQuestion({ id: 'sure', text: 'Sure?' }),
      blocks: [],
      isLocal: false,
      isRepeatable: true,
      definition: 'd',
      host: 'other:1',
    },
    pending,
  )
  await recordResult(store, 'first', { ...createFailure('waits', 'cancelled'), id: 'a' })
  await first.close()
  // Without its answer, the call only asks again.
  const second = openHost(store, 'second')
  expect(await second.claim('key', 'd')).toMatchObject({ kind: 'resumed', answered: [] })
  await store.append('second', 0, [{ type: 'turn_start', turn: 1 }])
  await second.close()
  await settlePendingQuestion(id, { state: 'answered', value: true, by: 'page' }, pending)
  const third = openHost(store, 'third')
  expect(await third.claim('key', 'd')).toMatchObject({ kind: 'resumed', answered: [{}] })
  await third.close()
  expect(await openHost(store, 'fourth').claim('key', 'd')).toMatchObject({ kind: 'interrupted' })
})

test('a host that says that it ends is waited for', async () => {
  const store = await open()
  const first = openHost(store, 'first')
  await first.end([createKept('a')])
  const claiming = openHost(store, 'second').claim('key', undefined)
  await first.close()
  expect(await claiming).toMatchObject({ kind: 'interrupted' })
})

test('the handle of a stateful tool ends with its host', async () => {
  const store = await open()
  const first = openHost(store, 'first')
  await first.save(createKept('a'), 'running')
  const metadata = { handle: { id: 'h', status: 'running' } } as const
  await recordResult(store, 'first', { id: 'a', content: [], isError: false, metadata })
  await first.close()
  expect(await openHost(store, 'second').claim('key', undefined)).toMatchObject({
    kind: 'interrupted',
  })
})

test('a store that fails rejects, so that nothing is executed that it does not know', async () => {
  const store = await openStore('memory:')
  const parked = openParkedCalls({
    store,
    conversation: 'c',
    pending: { storage: store.documents },
  })
  await store.close()
  await expect(parked.save(createKept('a'), 'running')).rejects.toThrow(/closed/)
})
