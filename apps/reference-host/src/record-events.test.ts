import { openStore, type ConversationStore } from '@toolblocks/conversation-store'
import { expect, test } from 'vitest'
import { createRecorder } from './record-events.ts'

const turn = (number: number) => ({ type: 'turn_start', turn: number }) as const

async function turnsOf(store: ConversationStore): Promise<unknown[]> {
  const { events } = await store.read('c')
  return events.map(({ event }) => (event.type === 'turn_start' ? event.turn : event))
}

test('events are kept in the order of the calls, also of those that did not wait', async () => {
  const store = await openStore('memory:')
  const record = createRecorder(store, 'c')
  await Promise.all([record(turn(1)), record(turn(2), turn(3)), record(turn(4))])
  expect(await turnsOf(store)).toEqual([1, 2, 3, 4])
})

test('where another process wrote meanwhile, no event is lost', async () => {
  const store = await openStore('memory:')
  const [one, other] = [createRecorder(store, 'c'), createRecorder(store, 'c')]
  await one(turn(1))
  await other(turn(2))
  await one(turn(3))
  expect(await turnsOf(store)).toEqual([1, 2, 3])
})

test('an append that fails rejects alone', async () => {
  const store = await openStore('memory:')
  const failures = [new Error('disk full')].values()
  const append: ConversationStore['append'] = async (...given) => {
    const failure = failures.next().value
    if (failure) throw failure
    return await store.append(...given)
  }
  const record = createRecorder({ ...store, append }, 'c')
  await expect(record(turn(1))).rejects.toThrow('disk full')
  await record(turn(2))
  expect(await turnsOf(store)).toEqual([2])
})
