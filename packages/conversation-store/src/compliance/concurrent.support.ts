import { expect, test } from 'vitest'
import type { ConversationEvent } from '../events/conversation-event.ts'
import type { ConversationStore } from '../store/conversation-store.ts'

const ROUNDS = 15
const FIRST = 'correct-horse'
const SECOND = 'battery-staple'

/** Returns an event whose text is stored apart. */
const getLong = (text: string): ConversationEvent => ({
  type: 'user_message',
  content: [{ type: 'text', text: `${text} `.repeat(1000) }],
})

/** Declares the tests of calls that run at the same time. */
export function describeConcurrent(current: () => ConversationStore): void {
  test('two scrubs of one event at the same time remove both values', async () => {
    const store = current()
    for (let round = 0; round < ROUNDS; round++) {
      const conversation = `c${round}`
      await store.append(conversation, 0, [getLong(`${FIRST} ${SECOND}`)])
      const scrub = async (secret: string): Promise<unknown> =>
        await store.scrub({ secret, conversation })
      // A purge may be refused as busy while the other scrub runs; the values are removed before it.
      await Promise.allSettled([scrub(FIRST), scrub(SECOND)])
      const text = JSON.stringify((await store.read(conversation)).events)
      expect([text.includes(FIRST), text.includes(SECOND)]).toEqual([false, false])
      expect(await store.verify(conversation)).toEqual([])
    }
  })

  test('an event is read complete while it is scrubbed', async () => {
    const store = current()
    for (let round = 0; round < ROUNDS; round++) {
      const conversation = `c${round}`
      await store.append(conversation, 0, [getLong(FIRST)])
      const scrubbing = store.scrub({ secret: FIRST, conversation }).catch(() => undefined)
      for (let reads = 0; reads < 5; reads++) {
        expect((await store.read(conversation)).events).toHaveLength(1)
        expect(await store.verify(conversation)).toEqual([])
      }
      await scrubbing
    }
  })

  test('collecting bytes removes no text of an event that is appended at the same time', async () => {
    const store = current()
    for (let round = 0; round < ROUNDS; round++) {
      const [appended] = await Promise.all([
        store.append('c', round, [getLong(`text ${round}`)]),
        store.collectBytes({ olderThanMs: -60_000 }),
        store.collectBytes({ olderThanMs: -60_000 }),
      ])
      expect(appended.ok).toBe(true)
      expect((await store.read('c', { limit: Infinity })).events).toHaveLength(round + 1)
    }
  })

  test('a conversation that is deleted during an append has the appended events completely or not at all', async () => {
    const store = current()
    for (let round = 0; round < ROUNDS; round++) {
      const conversation = `c${round}`
      await store.append(conversation, 0, [getLong('first')])
      const [appended] = await Promise.all([
        store.append(conversation, 1, [getLong('second')]),
        store.delete(conversation),
      ])
      const { events } = await store.read(conversation)
      // In each order of the two calls, the delete removes what exists.
      expect([appended.seq, events.length]).toEqual([appended.ok ? 2 : 0, 0])
      expect(await store.verify(conversation)).toEqual([])
    }
  })
}
