import { expect, test } from 'vitest'
import type { ConversationEvent } from '../events/conversation-event.ts'
import type { ConversationStore } from '../store/conversation-store.ts'

const LONG = 9000

/** Returns a result with a picture and a text, both longer than what stays in an event. */
function getResult(picture: Uint8Array, text = 'x'.repeat(LONG)): ConversationEvent {
  const data = Buffer.from(picture).toString('base64')
  const content = [
    { type: 'image', data, mimeType: 'image/png' },
    { type: 'text', text },
  ] as const
  return { type: 'tool_result', result: { id: 'c1', content, isError: false } }
}

const picture = (seed: number): Uint8Array =>
  Uint8Array.from({ length: LONG }, (_, index) => (index * (seed + 7) * 31) % 251)

/** Declares the tests of bytes that are kept beside events: long strings, and the output of tools. */
export function describeBytes(current: () => ConversationStore): void {
  test('long strings are returned unchanged from any place in an event', async () => {
    const store = current()
    const odd: ConversationEvent = {
      type: 'tool_call',
      call: { id: 'c1', name: 'write', arguments: { ['a'.repeat(LONG)]: ['é'.repeat(LONG), -0] } },
    }
    const events = [getResult(picture(1)), odd, getResult(picture(1), '\ud800'.repeat(LONG))]
    expect(await store.append('c', 0, events)).toEqual({ ok: true, seq: 3 })
    const page = await store.read('c')
    expect(page.events.map(({ event }) => event)).toStrictEqual(events)
    expect(await store.verify('c')).toEqual([])
  })

  test('bytes of a call are kept by their hash, given at once or as a stream', async () => {
    const store = current()
    const bytes = picture(2)
    const ref = await store.keepBytes(bytes)
    expect(ref).toEqual({ sha256: expect.stringMatching(/^[0-9a-f]{64}$/), bytes: LONG })
    async function* pieces(): AsyncGenerator<Uint8Array> {
      yield bytes.subarray(0, 10)
      yield bytes.subarray(10)
    }
    expect(await store.keepBytes(pieces())).toEqual(ref)
    expect(await store.readBytes(ref.sha256)).toEqual(Buffer.from(bytes))
    expect(await store.readBytes('0'.repeat(64))).toBeUndefined()
    expect(await store.keepBytes(new Uint8Array())).toMatchObject({ bytes: 0 })
  })

  test('bytes that no event refers to are collected once they are old enough, other bytes never', async () => {
    const store = current()
    const used = await store.keepBytes(picture(3))
    const unused = await store.keepBytes(picture(4))
    const result: ConversationEvent = {
      type: 'tool_result',
      result: { content: [], isError: false, metadata: { raw: used } },
    }
    await store.append('c', 0, [result, getResult(picture(5))])
    expect(await store.collectBytes()).toBe(0)
    expect(await store.collectBytes({ olderThanMs: -60_000 })).toBe(1)
    expect(await store.readBytes(unused.sha256)).toBeUndefined()
    expect(await store.readBytes(used.sha256)).toBeDefined()
    expect((await store.read('c')).events).toHaveLength(2)
  })

  test('bytes of a long stream are returned complete, and removed completely', async () => {
    const store = current()
    const long = Buffer.concat(Array.from({ length: 300 }, (_, seed) => picture(seed)))
    async function* stream(): AsyncGenerator<Uint8Array> {
      for (let from = 0; from < long.length; from += 50_000)
        yield long.subarray(from, from + 50_000)
    }
    const raw = await store.keepBytes(stream())
    expect(await store.keepBytes(long)).toEqual(raw)
    expect(raw.bytes).toBe(long.length)
    const metadata = { raw }
    await store.append('c', 0, [
      { type: 'tool_result', result: { content: [], isError: false, metadata } },
    ])
    expect(await store.collectBytes({ olderThanMs: -60_000 })).toBe(0)
    expect(Buffer.from((await store.readBytes(raw.sha256)) ?? []).equals(long)).toBe(true)
    await store.delete('c')
    expect(await store.collectBytes({ olderThanMs: -60_000 })).toBe(1)
    expect(await store.readBytes(raw.sha256)).toBeUndefined()
    expect(await store.collectBytes({ olderThanMs: -60_000 })).toBe(0)
  })

  test('bytes of several conversations stay until the last of these is deleted', async () => {
    const store = current()
    for (const id of ['a', 'b']) await store.append(id, 0, [getResult(picture(6))])
    await store.delete('a')
    expect(await store.collectBytes({ olderThanMs: -60_000 })).toBe(0)
    expect((await store.read('b')).events.map(({ event }) => event)).toEqual([
      getResult(picture(6)),
    ])
    await store.delete('b')
    expect(await store.collectBytes({ olderThanMs: -60_000 })).toBe(2)
  })
}
