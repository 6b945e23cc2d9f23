import type { BlobRef } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import type { ConversationEvent } from '../events/conversation-event.ts'
import type { EventRows } from '../rows/event-rows.ts'
import { PIECE_BYTES } from '../rows/keep-bytes.ts'
import type { ConversationStore } from '../store/conversation-store.ts'
import { createStore } from '../store/create-store.ts'
import type { StoreUnderTest } from './store-under-test.support.ts'

const SECRET = 'correct-horse-9'
const LONG = `${SECRET} `.repeat(1000)
const OUTPUT = Buffer.from(`output: ${LONG}`)
const TWO_PIECES = Buffer.concat([OUTPUT, Buffer.alloc(PIECE_BYTES, 'x')])

const say = (text: string): ConversationEvent => ({
  type: 'user_message',
  content: [{ type: 'text', text }],
})

const result = (raw: BlobRef): ConversationEvent => ({
  type: 'tool_result',
  result: { content: [], isError: false, metadata: { raw } },
})

/** Declares the tests of a scrub of bytes to which no event refers, or which are kept during the scrub. */
export function describeScrubOfBytes(opened: () => StoreUnderTest): void {
  /** Returns a store whose scrub waits for `interrupt` before it reads the events, and the store that `interrupt` uses. */
  function createInterrupted(
    { rows, store }: StoreUnderTest,
    interrupt: (other: ConversationStore) => Promise<unknown>,
  ): ConversationStore | undefined {
    if (!rows) return undefined
    let time = Date.UTC(2030, 0, 1)
    const now = (): Date => new Date((time += 1000))
    const other = createStore(rows, { now })
    let isInterrupted = false
    const scan: EventRows['scan'] = async (...range) => {
      if (!isInterrupted) {
        isInterrupted = true
        await interrupt(other)
      }
      return await rows.scan(...range)
    }
    return {
      ...store,
      scrub: async (request) => createStore({ ...rows, scan }, { now }).scrub(request),
    }
  }

  async function listUnused({ rows }: StoreUnderTest): Promise<readonly string[]> {
    return (await rows?.blobs.unused({ after: '', limit: 100 })) ?? []
  }

  test.for([undefined, 'c'])(
    'bytes of an event that is appended during a scrub, and then scrubbed, do not stay (conversation: %s)',
    async (conversation, { skip }) => {
      const store = createInterrupted(opened(), async (other) => {
        await other.append('c', 1, [say(LONG)])
      })
      if (!store) return skip()
      await store.append('c', 0, [say('first')])
      const scrubbed = await store.scrub({ secret: SECRET, ...(conversation && { conversation }) })
      expect(scrubbed).toMatchObject({ events: 1, blobs: 1, shared: 0, awaited: 0 })
      expect(await listUnused(opened())).toEqual([])
      expect((await store.read('c')).events).toHaveLength(2)
      expect(await store.verify('c')).toEqual([])
    },
  )

  test('bytes that a call keeps during a scrub are named, and removed by the next scrub of all conversations', async ({
    skip,
  }) => {
    const store = createInterrupted(opened(), async (other) => {
      const raws = [await other.keepBytes(OUTPUT), await other.keepBytes(TWO_PIECES)]
      await other.append('c', 1, raws.map(result))
    })
    if (!store) return skip()
    await store.append('c', 0, [say('first')])
    expect(await store.scrub({ secret: SECRET })).toMatchObject({ blobs: 2, awaited: 2 })
    expect(await store.scrub({ secret: SECRET })).toMatchObject({ blobs: 2, awaited: 0 })
    expect(await store.scrub({ secret: SECRET })).toMatchObject({ blobs: 0, awaited: 0 })
    expect(await store.verify('c')).toEqual([])
  })

  test('bytes that another call keeps during a scrub stay until its event is scrubbed', async ({
    skip,
  }) => {
    const calls: { other: ConversationStore; raw: BlobRef }[] = []
    const store = createInterrupted(opened(), async (other) => {
      const raw = await other.keepBytes(OUTPUT)
      await other.keepBytes(OUTPUT)
      await other.append('c', 1, [result(raw)])
      calls.push({ other, raw })
    })
    if (!store) return skip()
    await store.append('c', 0, [say('first')])
    expect(await store.scrub({ secret: SECRET })).toMatchObject({ blobs: 1, shared: 0, awaited: 1 })
    const [call] = calls
    if (!call) throw new Error('The scrub was not interrupted.')
    expect(await store.readBytes(call.raw.sha256)).toEqual(OUTPUT)
    await call.other.append('c', 2, [result(call.raw)])
    expect(await store.scrub({ secret: SECRET })).toMatchObject({ blobs: 1, shared: 0, awaited: 0 })
    expect(await store.readBytes(call.raw.sha256)).toBeUndefined()
    expect(await store.verify('c')).toEqual([])
  })

  test('bytes to which no event refers are removed if they contain the value, and others stay', async () => {
    const { store } = opened()
    const raw = await store.keepBytes(TWO_PIECES)
    const clean = await store.keepBytes(Buffer.from('clean'))
    await store.append('gone', 0, [say(LONG)])
    await store.delete('gone')
    const scrubbed = await store.scrub({ secret: SECRET })
    expect(scrubbed).toMatchObject({ events: 0, blobs: 2, shared: 0, awaited: 0 })
    expect(scrubbed.forms).toContainEqual({ form: 'as-is', removed: 2000 })
    expect(await store.readBytes(raw.sha256)).toBeUndefined()
    expect(await store.readBytes(clean.sha256)).toBeDefined()
    expect(await store.scrub({ secret: SECRET })).toMatchObject({ blobs: 0 })
  })

  test('a scrub of one conversation leaves the bytes of a call that may still run, and says so', async () => {
    const { store } = opened()
    const raw = await store.keepBytes(OUTPUT)
    await store.append('c', 0, [say('first')])
    const scrubbed = await store.scrub({ secret: SECRET, conversation: 'c' })
    expect(scrubbed).toMatchObject({ events: 0, blobs: 1, shared: 0, awaited: 1 })
    expect(await store.readBytes(raw.sha256)).toEqual(OUTPUT)
  })

  test('the bytes of a deleted conversation are collected at once, except those that a call has kept', async () => {
    const { store } = opened()
    const raw = await store.keepBytes(OUTPUT)
    await store.append('c', 0, [say(LONG), result(raw)])
    await store.delete('c')
    expect(await store.collectBytes()).toBe(1)
    expect(await store.readBytes(raw.sha256)).toBeDefined()
    expect(await store.collectBytes({ olderThanMs: -1 })).toBe(1)
  })
}
