import { expect, test } from 'vitest'
import type { ConversationList, ConversationStore } from '../store/conversation-store.ts'
import type { DatedEvent } from '../events/conversation-event.ts'
import { turns } from './turns.ts'

export const idsOf = ({ conversations }: ConversationList): string[] =>
  conversations.map(({ id }) => id)

/** Tests of reading in pages, and of lists. */
export function describePages(current: () => ConversationStore): void {
  test('pages go forward from a place', async () => {
    await current().append('c', 0, turns(7))
    const first = await current().read('c', { limit: 3 })
    expect([first.events.map(({ seq }) => seq), first.more]).toEqual([[1, 2, 3], true])
    const last = await current().read('c', { after: 4, limit: 3 })
    expect([last.events.map(({ seq }) => seq), last.more]).toEqual([[5, 6, 7], false])
  })

  test('pages go backward from the end', async () => {
    await current().append('c', 0, turns(7))
    const last = await current().read('c', { before: Infinity, limit: 3 })
    expect([last.events.map(({ seq }) => seq), last.more]).toEqual([[5, 6, 7], true])
    const first = await current().read('c', { before: 4, limit: 3 })
    expect([first.events.map(({ seq }) => seq), first.more]).toEqual([[1, 2, 3], false])
    const middle = await current().read('c', { after: 2, before: 5 })
    expect(middle.events.map(({ seq }) => seq)).toEqual([3, 4])
  })

  test('a page without a limit has all events, and one of none has none', async () => {
    await current().append('c', 0, turns(7))
    expect((await current().read('c', { limit: Infinity })).events).toHaveLength(7)
    expect(idsOf(await current().list({ limit: Infinity }))).toEqual(['c'])
    for (const limit of [0, -1])
      for (const place of [{}, { before: Infinity }])
        expect(await current().read('c', { ...place, limit })).toMatchObject({
          events: [],
          more: true,
        })
  })

  test('a conversation nobody wrote to is an empty page', async () => {
    expect(await current().read('nobody')).toEqual({ events: [], damaged: [], more: false })
  })

  test('conversations are listed with their size and times, the most recently written first', async () => {
    await current().append('a', 0, turns(2))
    await current().append('b', 0, turns(1))
    await current().append('a', 2, turns(1))
    const { conversations: list } = await current().list()
    expect(list.map(({ id, events }) => [id, events])).toEqual([
      ['a', 3],
      ['b', 1],
    ])
    expect(list[0]?.createdAt).not.toBe(list[0]?.updatedAt)
  })

  test('a conversation that begins with events of before is listed from the first of them to the last', async () => {
    const [event] = turns(1)
    if (!event) return
    const dated = (at: string): DatedEvent => ({ event, at })
    const [first, last] = ['2020-01-02T03:04:05.000Z', '2020-01-02T03:09:05.000Z']
    await current().append('a', 0, [dated(first), dated(last)])
    const { conversations: list } = await current().list()
    expect(list).toMatchObject([{ createdAt: first, updatedAt: last }])
  })

  test('a list goes on where the last one ended, whatever was written meanwhile', async () => {
    for (const id of ['a', 'b', 'c', 'd', 'e']) await current().append(id, 0, turns(1))
    const first = await current().list({ limit: 2 })
    expect(idsOf(first)).toEqual(['e', 'd'])
    await current().append('e', 1, turns(1))
    await current().append('f', 0, turns(1))
    const second = await current().list({ limit: 2, ...(first.next && { cursor: first.next }) })
    expect(idsOf(second)).toEqual(['c', 'b'])
    const third = await current().list({ limit: 2, ...(second.next && { cursor: second.next }) })
    expect([idsOf(third), third.next]).toEqual([['a'], undefined])
    const all = await current().list({ limit: 6 })
    expect([all.conversations.length, all.next]).toEqual([6, undefined])
    const wrong = current().list({ cursor: 'b' })
    await expect(wrong).rejects.toMatchObject({ code: 'invalid-cursor' })
  })
}
