import { type ConversationStore, openStore } from '@toolblocks/conversation-store'
import { expect, onTestFinished, test } from 'vitest'
import { ConversationConflict, openConversation } from './open-conversation.ts'

const turn = (number: number) => ({ type: 'turn_start', turn: number }) as const

async function open(): Promise<ConversationStore> {
  const store = await openStore('memory:')
  onTestFinished(async () => await store.close())
  return store
}

async function readTurns(store: ConversationStore): Promise<unknown[]> {
  const { events } = await store.read('c')
  return events.map(({ event }) => (event.type === 'turn_start' ? event.turn : event))
}

test('events are stored in the order of the calls, also of calls that did not wait', async () => {
  const store = await open()
  const { record, events } = await openConversation(store, 'c')
  await Promise.all([record(turn(1)), record(turn(2), turn(3)), record(turn(4))])
  expect(await readTurns(store)).toEqual([1, 2, 3, 4])
  expect(events().map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
})

test('if another program wrote in the meantime, nothing is added, and the caller gets an error', async () => {
  const store = await open()
  const [one, other] = [await openConversation(store, 'c'), await openConversation(store, 'c')]
  await one.record(turn(1))
  const refused = other.record(turn(2))
  await expect(refused).rejects.toThrow(ConversationConflict)
  await expect(refused).rejects.toMatchObject({ conversation: 'c' })
  expect(await readTurns(store)).toEqual([1])
})

test('an append that fails rejects, and others continue', async () => {
  const store = await open()
  const failures = [new Error('disk full')].values()
  const append: ConversationStore['append'] = async (...args) => {
    const failure = failures.next().value
    if (failure) throw failure
    return await store.append(...args)
  }
  const { record } = await openConversation({ ...store, append }, 'c')
  await expect(record(turn(1))).rejects.toThrow('disk full')
  await record(turn(2))
  expect(await readTurns(store)).toEqual([2])
})

test('the history is read again only after a change, of this program or of another one', async () => {
  const store = await open()
  const one = await openConversation(store, 'c')
  expect(one.history().entries).toEqual([])
  await one.record(turn(1))
  const first = one.history()
  expect(first.entries.map(({ seq }) => seq)).toEqual([1])
  expect(one.history()).toBe(first)
  await store.append('c', 1, [turn(2)])
  await one.refresh()
  expect(one.history().entries.map(({ seq }) => seq)).toEqual([1, 2])
})
