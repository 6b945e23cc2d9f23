import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ConversationEvent } from '../events/conversation-event.ts'
import { PIECE_BYTES } from '../rows/keep-bytes.ts'
import type { ConversationStore } from '../store/conversation-store.ts'
import { describeScrubOfBytes } from './scrub-bytes.support.ts'
import type { StoreUnderTest } from './store-under-test.support.ts'
import { anyForm, anySecret, decodings } from './encodings.support.ts'

/** A secret whose words occur in no other text of these tests. */
export const SECRET = 'Zq7-hunter2-"x"'
const LONG = 'All work and no play. '.repeat(600)

const say = (text: string): ConversationEvent => ({
  type: 'user_message',
  content: [{ type: 'text', text }],
})

/** Stores a value in every possible place: texts, names, JSON, base64, bytes, originals, a document, the index. Returns the hashes of bytes. */
export async function leak(
  store: ConversationStore,
  conversation: string,
): Promise<readonly string[]> {
  const raw = await store.keepBytes(rawBytes())
  const events: ConversationEvent[] = [
    say('nothing here'),
    say(`my key is ${SECRET}.`),
    { type: 'tool_call', call: { id: 'c1', name: 'login', arguments: { [SECRET]: [SECRET] } } },
    {
      type: 'tool_result',
      result: {
        id: 'c1',
        content: [
          { type: 'text', text: JSON.stringify({ key: SECRET }) },
          { type: 'text', text: `${LONG}${SECRET}${LONG}` },
          { type: 'image', mimeType: 'image/png', data: toBase64(`ab${SECRET}`) },
          { type: 'image', mimeType: 'image/png', data: toBase64(`${LONG}!${SECRET}${LONG}`) },
        ],
        isError: false,
        metadata: { outcome: 'completed', raw },
      },
    },
  ]
  await store.append(conversation, 0, events)
  const original = Buffer.from(JSON.stringify({ said: SECRET, coded: toBase64(SECRET) }))
  const time = '2026-01-01T00:00:00.000Z'
  await store.append(conversation, events.length, [{ event: say('imported'), at: time, original }])
  const note = { collection: 'note', id: conversation, state: 'open', conversation }
  for (const version of [0, 1]) {
    const value = { version, [SECRET]: SECRET, coded: toBase64(SECRET) }
    await store.documents.write({ ...note, version, value })
  }
  return [raw.sha256]
}

/** Yields bytes in pieces, with the value across a border of two pieces. */
function rawBytes(): Uint8Array {
  const border = PIECE_BYTES - `token=`.length - 3
  return Buffer.from(`${'.'.repeat(border)}token=${SECRET}\n${LONG}`)
}

/** The traces of the leaked value in bytes that are read as Latin-1: the value itself, escaped, its base64 for each start, and its longest word. */
export const TRACES: readonly string[] = [
  SECRET,
  JSON.stringify(SECRET).slice(1, -1),
  encodeURIComponent(SECRET),
  ...[0, 1, 2].map((before) => toBase64('.'.repeat(before) + SECRET).slice(4, 20)),
  'hunter2',
]

function toBase64(text: string): string {
  return Buffer.from(text).toString('base64')
}

/** Declares the tests of removing a value from a store. */
export function describeScrub(opened: () => StoreUnderTest): void {
  const current = (): ConversationStore => opened().store

  test('a scrubbed value is in no place of the store, changed events have the time of the scrub, and all events are verified', async () => {
    const store = current()
    const [raw = ''] = await leak(store, 'c')
    expect(await store.search({ text: 'hunter2' })).not.toEqual([])
    const scrubbed = await store.scrub({ secret: SECRET, conversation: 'c' })
    expect(scrubbed).toMatchObject({ events: 4, documents: 1, blobs: 3, shared: 0 })
    const { events, damaged } = await store.read('c')
    expect(damaged).toEqual([])
    expect(events.map(({ scrubbedAt }) => scrubbedAt)).toEqual([
      undefined,
      ...Array.from({ length: 4 }, () => scrubbed.at),
    ])
    const readable = events.flatMap(({ event, original }) => {
      const images =
        event.type === 'tool_result'
          ? event.result.content.flatMap((block) => (block.type === 'image' ? [block.data] : []))
          : []
      const bytes = [
        ...images.map((data) => Buffer.from(data, 'base64')),
        Buffer.from(original ?? []),
      ]
      return [JSON.stringify(event), ...bytes.map((each) => each.toString('latin1'))]
    })
    const { documents } = await store.documents.list('note')
    for (const text of [...readable, JSON.stringify(documents)])
      expect(text).not.toContain('hunter2')
    expect(JSON.stringify(events[1]?.event)).toContain('my key is [scrubbed].')
    expect(await store.verify('c')).toEqual([])
    expect(await store.search({ text: 'hunter2' })).toEqual([])
    expect(await store.search({ text: 'key scrubbed' })).not.toEqual([])
    expect(await store.readBytes(raw)).toBeUndefined()
    const result = events[3]?.event
    const kept = result?.type === 'tool_result' ? result.result.metadata?.raw : undefined
    expect(kept?.bytes).toBe(rawBytes().length)
    const bytes = await store.readBytes(kept?.sha256 ?? '')
    expect(Buffer.from(bytes ?? []).toString()).toMatch(/\.token=\*{15}\nAll work/)
    expect(await store.append('c', 5, [say('and on')])).toEqual({ ok: true, seq: 6 })
    expect(await store.verify('c')).toEqual([])
    expect(await store.scrub({ secret: SECRET })).toMatchObject({
      events: 0,
      documents: 0,
      blobs: 0,
    })
  })

  test('reports bytes that another conversation shares, and removes them when all conversations are scrubbed', async () => {
    const store = current()
    await leak(store, 'a')
    await leak(store, 'b')
    expect(await store.scrub({ secret: SECRET, conversation: 'a' })).toMatchObject({ shared: 3 })
    expect(await store.scrub({ secret: SECRET })).toMatchObject({ events: 4, blobs: 3, shared: 0 })
    expect(await store.verify('b')).toEqual([])
  })

  describeScrubOfBytes(opened)

  test('refuses a value that is too short or part of how events are written', async () => {
    const store = current()
    await store.append('c', 0, [say('x')])
    await expect(store.scrub({ secret: 'short' })).rejects.toMatchObject({ code: 'unscrubbable' })
    const structure = store.scrub({ secret: 'user_message' })
    await expect(structure).rejects.toMatchObject({ code: 'unscrubbable' })
    expect((await store.read('c')).events[0]?.scrubbedAt).toBeUndefined()
  })

  test('law: a secret in any form is found nowhere after a scrub, everything else is unchanged, and all events are verified', async () => {
    const store = current()
    let number = 0
    await fc.assert(
      fc.asyncProperty(anySecret, anyForm, async (secret, write) => {
        number += 1
        const id = `law ${number}`
        const written = ` ! ${write(secret)} ! `
        const raw = await store.keepBytes(Buffer.from(`raw${written}raw`))
        const original = Buffer.from(JSON.stringify({ [written]: `original${written}` }))
        const time = '2026-01-01T00:00:00.000Z'
        await store.append(id, 0, [
          say('Lorem ipsum.'),
          say(`said${written}said`),
          say(`${LONG}${written}${LONG}`),
          {
            type: 'tool_result',
            result: {
              content: [
                {
                  type: 'image',
                  mimeType: 'image/png',
                  data: toBase64(`${LONG}${written}${LONG}`),
                },
              ],
              isError: false,
              metadata: { outcome: 'completed', raw },
            },
          },
          { event: say('imported'), at: time, original },
        ])
        const before = await readTexts(store, id)
        await store.scrub({ secret, conversation: id })
        const after = await readTexts(store, id)
        const read = after.flatMap((text) => decodings(text.replaceAll(LONG, '')))
        expect(read.filter((text) => text.includes(secret))).toEqual([])
        expect(after.map(outside)).toEqual(before.map(outside))
        expect(await store.verify(id)).toEqual([])
        const hits = await store.search({ text: secret, conversation: id })
        expect(hits.filter(({ excerpt }) => excerpt.includes(secret))).toEqual([])
      }),
      { numRuns: 10 },
    )
  })
}

/** Returns the text before and the text after a value. */
function outside(text: string): readonly string[] {
  return text.split(' ! ').filter((_, index, parts) => index === 0 || index === parts.length - 1)
}

/** Returns every text of a conversation, and its bytes as texts. */
async function readTexts(store: ConversationStore, id: string): Promise<readonly string[]> {
  const { events } = await store.read(id)
  const texts: string[] = []
  for (const { event, original } of events) {
    if (original) texts.push(Buffer.from(original).toString())
    const content =
      event.type === 'user_message'
        ? event.content
        : event.type === 'tool_result'
          ? event.result.content
          : []
    for (const block of content) {
      if (block.type === 'text') texts.push(block.text)
      if (block.type === 'image') texts.push(Buffer.from(block.data, 'base64').toString())
    }
    const raw = event.type === 'tool_result' ? event.result.metadata?.raw : undefined
    const bytes = raw && (await store.readBytes(raw.sha256))
    if (bytes) texts.push(Buffer.from(bytes).toString())
  }
  return texts
}
