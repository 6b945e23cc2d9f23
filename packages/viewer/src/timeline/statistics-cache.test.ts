import { type ConversationEvent, openStore } from '@toolblocks/conversation-store'
import { expect, onTestFinished, test } from 'vitest'
import { createStatisticsCache } from './statistics-cache.ts'

const say = (text: string): ConversationEvent => ({
  type: 'user_message',
  content: [{ type: 'text', text }],
})

async function open() {
  const store = await openStore('memory:')
  onTestFinished(async () => await store.close())
  let time = 0
  const cache = createStatisticsCache(store, { now: () => time })
  const readTurns = async (id: string, last: number): Promise<readonly string[]> => {
    time += 1000
    const { statistics } = await cache.soon(id, last)
    expect(statistics.turns()).toEqual((await cache.upTo(id, last)).turns())
    return statistics.turns().map(({ opening }) => opening)
  }
  return { store, readTurns }
}

test('the turns of a conversation that was deleted are not shown of the next one with its id, also if it is longer', async () => {
  const { store, readTurns } = await open()
  await store.append('c', 0, [say('first A'), say('second A')])
  await store.append('other', 0, [say('of another one')])
  expect(await readTurns('c', 2)).toEqual(['first A', 'second A'])
  expect(await readTurns('other', 1)).toEqual(['of another one'])
  await store.delete('c')
  await store.append('c', 0, [say('first B')])
  expect(await readTurns('c', 1)).toEqual(['first B'])
  await store.delete('c')
  await store.append('c', 0, ['first C', 'second C', 'third C'].map(say))
  expect(await readTurns('c', 3)).toEqual(['first C', 'second C', 'third C'])
  expect(await readTurns('other', 1)).toEqual(['of another one'])
})

test('a scrubbed value is no longer in the turns', async () => {
  const { store, readTurns } = await open()
  await store.append('c', 0, [say('the SECRETX is here'), say('nothing here')])
  expect(await readTurns('c', 2)).toContain('the SECRETX is here')
  await store.scrub({ secret: 'SECRETX' })
  expect((await readTurns('c', 2)).join(' ')).not.toContain('SECRETX')
})

test('events that are added are counted without reading the others again', async () => {
  const { store, readTurns } = await open()
  await store.append('c', 0, [say('one')])
  expect(await readTurns('c', 1)).toEqual(['one'])
  await store.append('c', 1, [say('two')])
  expect(await readTurns('c', 2)).toEqual(['one', 'two'])
})

test('of many quoted events a part is compared at a time, and all in turn', async () => {
  const { store, readTurns } = await open()
  const many = Array.from({ length: 500 }, (_, index) =>
    say(index === 450 ? 'SECRETX' : `${index}`),
  )
  await store.append('c', 0, many)
  expect(await readTurns('c', 500)).toContain('SECRETX')
  await store.scrub({ secret: 'SECRETX' })
  for (let count = 0; count < 2; count += 1) await readTurns('c', 500)
  expect((await readTurns('c', 500)).join(' ')).not.toContain('SECRETX')
})
