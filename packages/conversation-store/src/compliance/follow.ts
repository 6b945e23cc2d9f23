import { expect, test } from 'vitest'
import type { ConversationStore } from '../store/conversation-store.ts'
import { turns } from './turns.ts'

/** Reads so many events of a follower, and leaves it. */
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

/** Tests of following a conversation while it is written. */
export function describeFollow(current: () => ConversationStore): void {
  test('a follower gets what is there and what is appended, each once and in order', async () => {
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

  test('a conversation can be followed before there is one', async () => {
    const store = current()
    const first = take(store, 'later', 1)
    await store.append('later', 0, turns(1))
    expect(await first).toEqual([1])
  })

  test('following ends with its signal, also while nothing happens', async () => {
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

  test('a follower of a store that is closed is told', async () => {
    const store = current()
    const following = take(store, 'c', 1)
    await store.close()
    await expect(following).rejects.toMatchObject({ code: 'closed' })
  })
}
