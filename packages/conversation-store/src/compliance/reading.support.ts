import { expect, test } from 'vitest'
import type { ConversationEvent, DatedEvent } from '../events/conversation-event.ts'
import type { ConversationList, ConversationStore } from '../store/conversation-store.ts'

export const getIds = ({ conversations }: ConversationList): string[] =>
  conversations.map(({ id }) => id)

/** Declares the tests of reading in pages, and of lists. */
export function describePages(current: () => ConversationStore): void {
  test('pages go forward from a number', async () => {
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

  test('a page without a limit has all events, and a page with limit 0 has none', async () => {
    await current().append('c', 0, turns(7))
    expect((await current().read('c', { limit: Infinity })).events).toHaveLength(7)
    expect(getIds(await current().list({ limit: Infinity }))).toEqual(['c'])
    for (const range of [{}, { before: Infinity }])
      expect(await current().read('c', { ...range, limit: 0 })).toMatchObject({
        events: [],
        more: true,
      })
  })

  test('a conversation without events is an empty page', async () => {
    expect(await current().read('nobody')).toEqual({ events: [], damaged: [], more: false })
  })

  test('lists conversations with their size and times, the most recently written first', async () => {
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

  test('a conversation that begins with older events is listed with the times of its first and last event', async () => {
    const [event] = turns(1)
    if (!event) return
    const dated = (time: string): DatedEvent => ({ event, at: time })
    const [first, last] = ['2020-01-02T03:04:05.000Z', '2020-01-02T03:09:05.000Z']
    await current().append('a', 0, [dated(first), dated(last)])
    const { conversations: list } = await current().list()
    expect(list).toMatchObject([{ createdAt: first, updatedAt: last }])
  })

  test('conversations that begin with older events are listed by the time of their last event, below those that were written since', async () => {
    const [event] = turns(1)
    if (!event) return
    const dated = (time: string): DatedEvent => ({ event, at: time })
    await current().append('own', 0, [event])
    await current().append('new', 0, [dated('2024-05-01T10:00:00.000Z')])
    await current().append('old', 0, [dated('2020-01-02T10:00:00.000Z')])
    await current().append('same', 0, [dated('2020-01-02T10:00:00.000Z')])
    await current().append('future', 0, [dated('2999-01-01T00:00:00.000Z')])
    const ids: string[] = []
    let cursor: string | undefined
    do {
      const page = await current().list({ limit: 1, ...(cursor !== undefined && { cursor }) })
      ids.push(...getIds(page))
      cursor = page.next
    } while (cursor !== undefined)
    expect(ids.filter((id) => id !== 'future')).toEqual(['own', 'new', 'same', 'old'])
    expect(ids).toHaveLength(5)
    await current().append('old', 1, [dated('2025-01-02T10:00:00.000Z')])
    expect(getIds(await current().list()).filter((id) => id !== 'future')).toEqual([
      'own',
      'old',
      'new',
      'same',
    ])
    await current().append('same', 1, [event])
    expect(getIds(await current().list())[0]).toBe('same')
  })

  test('a list continues where the last one ended, whatever was written between the two', async () => {
    for (const id of ['a', 'b', 'c', 'd', 'e']) await current().append(id, 0, turns(1))
    const first = await current().list({ limit: 2 })
    expect(getIds(first)).toEqual(['e', 'd'])
    await current().append('e', 1, turns(1))
    await current().append('f', 0, turns(1))
    const second = await current().list({ limit: 2, ...(first.next && { cursor: first.next }) })
    expect(getIds(second)).toEqual(['c', 'b'])
    const third = await current().list({ limit: 2, ...(second.next && { cursor: second.next }) })
    expect([getIds(third), third.next]).toEqual([['a'], undefined])
    const all = await current().list({ limit: 6 })
    expect([all.conversations.length, all.next]).toEqual([6, undefined])
    const wrong = current().list({ cursor: 'b' })
    await expect(wrong).rejects.toMatchObject({ code: 'invalid-cursor' })
  })
}

const say = (text: string): ConversationEvent => ({
  type: 'user_message',
  content: [{ type: 'text', text }],
})

/** Declares the tests of finding events by their words. */
export function describeSearch(current: () => ConversationStore): void {
  test('finds events by words in any order and case, the most recently written first', async () => {
    const store = current()
    await store.append('a', 0, [say('The lighthouse blinks too slowly.'), say('Another thing.')])
    await store.append('b', 0, [
      {
        type: 'tool_call',
        call: { id: 'c', name: 'read_file', arguments: { path: 'src/lighthouse.rs' } },
      },
      {
        type: 'tool_result',
        result: {
          content: [
            { type: 'resource', resource: { uri: 'file:///main.rs', text: 'fn blink() {}' } },
          ],
          isError: false,
          structuredContent: { keeper: 'Ada' },
        },
      },
    ])
    const places = async (text: string, more = {}): Promise<readonly unknown[]> =>
      (await store.search({ text, ...more })).map(({ conversation, seq }) => [conversation, seq])
    expect(await places('LIGHTHOUSE')).toEqual([
      ['b', 1],
      ['a', 1],
    ])
    expect(await places('slowly lighthouse')).toEqual([['a', 1]])
    expect(await places('lighthouse.rs')).toEqual([['b', 1]])
    expect(await places('keeper ada')).toEqual([['b', 2]])
    expect(await places('lighthouse', { conversation: 'a' })).toEqual([['a', 1]])
    expect(await places('lighthouse', { conversations: ['a', 'c'] })).toEqual([['a', 1]])
    expect(await places('lighthouse', { conversations: ['a', 'b'], limit: 1 })).toEqual([['b', 1]])
    expect(await places('lighthouse', { conversations: ['b'], conversation: 'a' })).toEqual([])
    expect(await places('lighthouse', { conversations: [] })).toEqual([])
    const odd = ['nul\u0000 \u{1f6a2}"]', "it's"]
    for (const id of odd) await store.append(id, 0, [say('odd buoy')])
    expect(await places('buoy', { conversations: odd })).toEqual([
      [odd[1], 1],
      [odd[0], 1],
    ])
    expect(await places('lighthouse', { limit: 1 })).toEqual([['b', 1]])
    for (const nothing of ['', '  ', '"', '* -', 'light', 'NOT'])
      expect(await places(nothing)).toEqual([])
  })

  test('a hit shows the words with the text around them', async () => {
    const store = current()
    await store.append('c', 0, [
      say(`${'x '.repeat(100)}\nthe needle\tin the hay ${'y '.repeat(100)}`),
    ])
    const [hit] = await store.search({ text: 'needle' })
    expect(hit).toMatchObject({ conversation: 'c', seq: 1, type: 'user_message' })
    expect(hit?.excerpt).toMatch(/^…x [x ]+ the needle in the hay [y ]+…$/)
  })

  test('finds nothing in a deleted conversation', async () => {
    const store = current()
    await store.append('a', 0, [say('lighthouse')])
    await store.append('b', 0, [say('lighthouse')])
    await store.delete('a')
    expect(
      (await store.search({ text: 'lighthouse' })).map(({ conversation }) => conversation),
    ).toEqual(['b'])
  })
}

/** Reads a number of events from a follower, then stops following. */
async function take(
  store: ConversationStore,
  id: string,
  count: number,
  after = 0,
): Promise<number[]> {
  const seen: number[] = []
  for await (const { seq } of store.follow(id, { after })) {
    seen.push(seq)
    if (seen.length === count) break
  }
  return seen
}

/** Declares the tests of following a conversation while it is written. */
export function describeFollow(current: () => ConversationStore): void {
  test('a follower gets the existing and the appended events, each once and in order', async () => {
    const store = current()
    await store.append('c', 0, turns(2))
    const [all, late] = [take(store, 'c', 6), take(store, 'c', 3, 3)]
    for (let seq = 2; seq < 6; seq += 2) {
      await store.append('other', 0, turns(1))
      await store.append('c', seq, turns(2))
    }
    expect(await all).toEqual([1, 2, 3, 4, 5, 6])
    expect(await late).toEqual([4, 5, 6])
  })

  test('a conversation can be followed before it exists', async () => {
    const store = current()
    const first = take(store, 'later', 1)
    await store.append('later', 0, turns(1))
    expect(await first).toEqual([1])
  })

  test.for<[string, number]>([
    ['fewer', 1],
    ['as many', 2],
    ['more', 3],
  ])(
    'a follower of a conversation that is deleted and begun again with %s events gets them from the first',
    async ([, count]) => {
      const store = current()
      await store.append('c', 0, turns(2))
      const follower = store.follow('c')[Symbol.asyncIterator]()
      for (const seq of [1, 2]) expect((await follower.next()).value).toMatchObject({ seq })
      await store.delete('c')
      await store.append(
        'c',
        0,
        Array.from({ length: count }, () => say('begun again')),
      )
      for (let seq = 1; seq <= count; seq += 1)
        expect((await follower.next()).value).toMatchObject({
          seq,
          event: { type: 'user_message' },
        })
      await follower.return?.()
    },
  )

  test('a follower that waits while its conversation is deleted gets the first event of the next one', async () => {
    const store = current()
    await store.append('c', 0, turns(2))
    const follower = store.follow('c')[Symbol.asyncIterator]()
    for (const seq of [1, 2]) expect((await follower.next()).value).toMatchObject({ seq })
    const next = follower.next()
    await store.delete('c')
    await store.append('c', 0, [say('begun again')])
    expect((await next).value).toMatchObject({ seq: 1, event: { type: 'user_message' } })
    await follower.return?.()
  })

  test('following ends with its signal, even if nothing is appended', async () => {
    const store = current()
    await store.append('c', 0, turns(1))
    const ending = new AbortController()
    const seen: number[] = []
    for await (const { seq } of store.follow('c', { signal: ending.signal })) {
      seen.push(seq)
      setImmediate(() => ending.abort())
    }
    expect(seen).toEqual([1])
  })

  test('a follower of a store that is closed gets an error', async () => {
    const store = current()
    const following = take(store, 'c', 1)
    await store.close()
    await expect(following).rejects.toMatchObject({ code: 'closed' })
  })
}

/** Returns the shortest event. */
export const turn = (number: number): ConversationEvent => ({ type: 'turn_start', turn: number })

/** Returns a number of the shortest events. */
export const turns = (count: number, first = 1): ConversationEvent[] =>
  Array.from({ length: count }, (_, index) => turn(first + index))
