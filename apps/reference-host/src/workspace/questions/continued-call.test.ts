import { type ConversationStore, openStore } from '@toolblocks/conversation-store'
import {
  openPendingQuestion,
  type PendingQuestion,
  settlePendingQuestion,
} from '@toolblocks/inquiry/pending'
import { booleanQuestion } from '@toolblocks/protocol'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { hasCallContinued } from './continued-call.ts'
import { type ParkedCall, PARKED_CALLS } from './parked-call.ts'

async function open(): Promise<ConversationStore> {
  const store = await openStore('memory:')
  onTestFinished(async () => await store.close())
  return store
}

const QUESTION = booleanQuestion({ id: 'sure', text: 'Sure?' })
const CALL = { id: 'call-1', name: 'book', arguments: {} }

/** Records that the call was made in a conversation; with `isOver` also a result. */
async function record(
  store: ConversationStore,
  conversation: string,
  isOver = false,
): Promise<void> {
  const result = { id: CALL.id, content: [], isError: false }
  await store.append(conversation, 0, [
    { type: 'turn_start', turn: 1 },
    { type: 'tool_call', call: CALL },
    { type: 'question', id: 'sure', callId: CALL.id, asked: 'user', question: QUESTION },
    ...(isOver ? [{ type: 'tool_result' as const, result }] : []),
  ])
}

async function ask(
  { documents: storage }: ConversationStore,
  call = CALL,
): Promise<PendingQuestion> {
  return await openPendingQuestion(
    {
      kind: 'question',
      call,
      conversation: 'first',
      turn: 1,
      request: QUESTION,
      blocks: [],
      isLocal: false,
      isRepeatable: true,
      definition: '',
      host: 'other:1',
    },
    { storage },
  )
}

async function answer(
  { documents: storage }: ConversationStore,
  { id }: PendingQuestion,
): Promise<PendingQuestion> {
  const settled = await settlePendingQuestion(
    id,
    { state: 'answered', value: true, by: 'page' },
    { storage },
  )
  if (!settled.ok) throw new Error('not settled')
  return settled.question
}

async function park(
  { documents }: ConversationStore,
  state: ParkedCall['state'],
  conversations: readonly string[],
): Promise<void> {
  const value = { state, conversations: [...conversations], startedAt: '2026-11-30T12:00:00.000Z' }
  await documents.write({ collection: PARKED_CALLS, id: CALL.id, version: 0, state: 'key', value })
}

test('a call that was made again before the answer has not continued, although its first conversation has a result', async () => {
  const store = await open()
  await record(store, 'first', true)
  await record(store, 'second')
  await park(store, 'waiting', ['first', 'second'])
  expect(await hasCallContinued(store, await answer(store, await ask(store)))).toBe(false)
})

test('a call that may be executed has continued, and so has one with a result in its last conversation', async () => {
  const running = await open()
  await record(running, 'first')
  await park(running, 'running', ['first'])
  expect(await hasCallContinued(running, await answer(running, await ask(running)))).toBe(true)
  const over = await open()
  await record(over, 'second', true)
  await park(over, 'waiting', ['first', 'second'])
  expect(await hasCallContinued(over, await answer(over, await ask(over)))).toBe(true)
})

test('a call that waits for its next question has continued after the one before, whose answer it needed', async () => {
  const store = await open()
  await record(store, 'first')
  await park(store, 'waiting', ['first'])
  const one = await answer(store, await ask(store))
  await answer(store, await ask(store, { ...CALL, id: 'another call' }))
  // The times of questions are milliseconds.
  await pause(5)
  expect(await hasCallContinued(store, one)).toBe(false)
  const next = await ask(store)
  expect(await hasCallContinued(store, one)).toBe(true)
  await pause(5)
  expect(await hasCallContinued(store, await answer(store, next))).toBe(false)
})

test('of a call that is not parked, the events of its conversation say whether it has continued', async () => {
  for (const isOver of [false, true]) {
    const store = await open()
    const question = await answer(store, await ask(store))
    await record(store, 'first', isOver)
    expect(await hasCallContinued(store, question)).toBe(isOver)
  }
})
