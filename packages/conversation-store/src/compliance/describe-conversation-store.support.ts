import fc from 'fast-check'
import type { ToolResult } from '@toolblocks/protocol'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { describeBytes } from './bytes.support.ts'
import { describeConcurrent } from './concurrent.support.ts'
import { describeDocuments } from './documents.support.ts'
import { anyJson, anyText, PLAIN } from './json.support.ts'
import {
  describeFollow,
  describePages,
  describeSearch,
  getIds,
  turn,
  turns,
} from './reading.support.ts'
import { describeScrub } from './scrub.support.ts'
import type { StoreUnderTest } from './store-under-test.support.ts'
import type { ConversationEvent } from '../events/conversation-event.ts'
import type { ConversationStore } from '../store/conversation-store.ts'

/** Returns a clock that advances by a second each time it is read. */
function tickingClock(): () => Date {
  let seconds = 0
  return () => new Date(Date.UTC(2026, 10, 21, 0, 0, seconds++ % 60))
}

const oneCall: ConversationEvent[] = [
  turn(1),
  { type: 'user_message', content: [{ type: 'text', text: 'What is in a.rs?' }] },
  { type: 'assistant_message', content: [{ type: 'text', text: 'Let me read it.' }] },
  { type: 'tool_call', call: { id: 'c1', name: 'read', arguments: { path: 'a.rs' } } },
  {
    type: 'question',
    id: 'c1.go.1',
    callId: 'c1',
    question: { id: 'go', text: 'Go?', schema: { type: 'boolean' } },
    asked: 'user',
  },
  { type: 'answer', id: 'c1.go.1', callId: 'c1', action: 'accept', value: true },
  {
    type: 'tool_result',
    result: {
      id: 'c1',
      content: [{ type: 'resource', resource: { uri: 'file:///a.rs', text: 'fn main() {}' } }],
      isError: false,
      metadata: { outcome: 'completed' },
    },
  },
]

/** Declares the tests that the store passes with each of its engines. `open` creates an empty store, which dates events by the clock it receives. */
export function describeConversationStore(
  name: string,
  open: (now: () => Date) => Promise<StoreUnderTest>,
): void {
  describe(`the ${name} store`, () => {
    let opened: StoreUnderTest
    let store: ConversationStore
    beforeEach(async () => {
      opened = await open(tickingClock())
      store = opened.store
    })
    afterEach(async () => {
      await store.close()
      await opened.remove()
    })

    test('the events of one call are returned unchanged, in order, numbered from 1', async () => {
      expect(await store.append('c', 0, oneCall)).toEqual({ ok: true, seq: 7 })
      const page = await store.read('c')
      expect(page.events.map(({ event }) => event)).toEqual(oneCall)
      expect(page.events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7])
      expect(page).toMatchObject({ damaged: [], more: false })
    })

    test('events of every type are returned unchanged', async () => {
      const events: ConversationEvent[] = [
        {
          type: 'assistant_message',
          content: [],
          reasoning: 'First the file.',
          data: { answer: 42 },
          _meta: { signature: 'abc' },
        },
        { type: 'approval', callId: 'c1', decision: 'allowed', by: 'user', arguments: { a: 1 } },
        { type: 'approval', callId: 'c2', decision: 'denied', by: 'rule', reason: 'not here' },
        {
          type: 'delivery',
          deliveries: [
            {
              callId: 'c1',
              block: 0,
              uri: 'file:///a',
              sha256: 'a'.repeat(64),
              turn: 1,
              form: 'full',
            },
          ],
          callId: 'c1',
          text: 'What the model was given.',
          wholeLength: 25,
        },
        { type: 'configuration', values: { model: 'small' } },
        {
          type: 'compaction',
          fromTurn: 1,
          toTurn: 3,
          summary: 'We read a.',
          reasoning: 'strip',
          toolCalls: 'omit',
        },
        { type: 'rewind', to: 3 },
      ]
      await store.append('c', 0, events)
      expect((await store.read('c')).events.map(({ event }) => event)).toEqual(events)
    })

    test('events have the time of the store’s clock', async () => {
      await store.append('c', 0, [turn(1)])
      expect((await store.read('c')).events[0]?.at).toMatch(/^2026-11-21T00:00:\d\d\.000Z$/)
    })

    test('an append after another writer’s append is a conflict, which returns the last number and keeps nothing', async () => {
      await store.append('c', 0, turns(2))
      expect(await store.append('c', 0, turns(3))).toEqual({ ok: false, seq: 2 })
      expect(await store.append('c', 5, turns(3))).toEqual({ ok: false, seq: 2 })
      expect((await store.read('c')).events).toHaveLength(2)
    })

    test('when several writers append at once, each number is given only once', async () => {
      const attempts = Array.from({ length: 10 }, (_, index) => store.append('c', 0, [turn(index)]))
      const results = await Promise.all(attempts)
      expect(results.filter(({ ok }) => ok)).toHaveLength(1)
      expect((await store.read('c')).events).toHaveLength(1)
    })

    test('refuses an id with half a surrogate pair, because two such ids would become one', async () => {
      const refused = { code: 'invalid-id', message: expect.stringContaining('"\\ud800"') }
      await expect(store.append('\ud800', 0, turns(1))).rejects.toMatchObject(refused)
      await expect(store.read('\ud800')).rejects.toMatchObject(refused)
      await expect(store.verify('\ud800')).rejects.toMatchObject(refused)
      await expect(store.delete('\ud800')).rejects.toMatchObject(refused)
      for (const id of ['', '\0', '\ufffd', '\ud83d\ude00', '__proto__', "a' --"]) {
        expect(await store.append(id, 0, turns(1))).toEqual({ ok: true, seq: 1 })
        expect((await store.read(id)).events).toHaveLength(1)
      }
      expect((await store.list()).conversations).toHaveLength(6)
    })

    test('an append without events changes nothing', async () => {
      expect(await store.append('c', 0, [])).toEqual({ ok: true, seq: 0 })
      expect(await store.list()).toEqual({ conversations: [] })
    })

    test('refuses an event that is not JSON, and keeps no event of its append', async () => {
      const cyclic: Record<string, unknown> = {}
      cyclic['self'] = cyclic
      for (const value of [cyclic, Number.NaN, 1n]) {
        const bad: ToolResult = { content: [], isError: false, structuredContent: { value } }
        const events: ConversationEvent[] = [turn(1), { type: 'tool_result', result: bad }]
        await expect(store.append('c', 0, events)).rejects.toMatchObject({ code: 'unstorable' })
      }
      expect((await store.read('c')).events).toEqual([])
    })

    describePages(() => store)

    test('an event may have its own time and the record from which it was made', async () => {
      const original = new TextEncoder().encode('{"old": true}\n')
      const dated = { event: turn(1), at: '2020-02-02T02:02:02+02:00', original }
      expect(await store.append('c', 0, [dated, turn(2)])).toEqual({ ok: true, seq: 2 })
      const { events } = await store.read('c')
      expect(events[0]).toEqual({
        seq: 1,
        at: '2020-02-02T00:02:02.000Z',
        event: turn(1),
        original,
      })
      expect('original' in (events[1] ?? {})).toBe(false)
      expect(await store.verify('c')).toEqual([])
      const undated = store.append('c', 2, [{ event: turn(3), at: 'yesterday' }])
      await expect(undated).rejects.toMatchObject({ code: 'unstorable' })
    })

    test('a deleted conversation is removed, others stay, and its id can be used again', async () => {
      await store.append('a', 0, turns(2))
      await store.append('b', 0, turns(1))
      expect(await store.delete('a')).toBe(true)
      expect(await store.delete('a')).toBe(false)
      expect((await store.read('a')).events).toEqual([])
      expect(getIds(await store.list())).toEqual(['b'])
      expect(await store.append('a', 0, turns(1))).toEqual({ ok: true, seq: 1 })
      expect(await store.verify('a')).toEqual([])
    })

    test('verify returns no problems for an unchanged conversation', async () => {
      await store.append('c', 0, turns(300))
      await store.append('c', 300, turns(150))
      expect(await store.verify('c')).toEqual([])
      expect(await store.verify('nobody')).toEqual([])
    })

    describeBytes(() => store)
    describeSearch(() => store)
    describeScrub(() => opened)

    describeConcurrent(() => store)
    describeFollow(() => store)
    describeDocuments(() => opened)

    test('a closed store rejects calls with the code closed, and can be closed twice', async () => {
      await store.close()
      await store.close()
      await expect(store.append('c', 0, turns(1))).rejects.toMatchObject({ code: 'closed' })
      await expect(store.read('c')).rejects.toMatchObject({ code: 'closed' })
      await expect(store.list()).rejects.toMatchObject({ code: 'closed' })
      await expect(store.delete('c')).rejects.toMatchObject({ code: 'closed' })
    })

    test('any tool result is returned equal: every text, number, key and nesting', async () => {
      let seq = 0
      await fc.assert(
        fc.asyncProperty(anyResult, async (result) => {
          const event: ConversationEvent = { type: 'tool_result', result }
          expect(await store.append('c', seq, [event])).toMatchObject({ ok: true })
          const page = await store.read('c', { after: seq })
          seq += 1
          expect(page.damaged).toEqual([])
          expect(page.events.map((stored) => stored.event)).toStrictEqual([event])
        }),
        { numRuns: 150 },
      )
      expect(await store.verify('c')).toEqual([])
    })
  })
}

const anyMeta = fc.dictionary(fc.oneof(anyText, fc.constant('__proto__')), anyJson, PLAIN)

const anyBlock = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text: anyText, _meta: anyMeta }, PLAIN),
  fc.record(
    {
      type: fc.constant('resource' as const),
      resource: fc.record({ uri: anyText, text: anyText }, PLAIN),
      formatted: anyText,
    },
    PLAIN,
  ),
  fc.record(
    {
      type: fc.constant('image' as const),
      data: fc.base64String(),
      mimeType: fc.constant('image/png'),
    },
    PLAIN,
  ),
)

/** Any tool result that JSON can carry. */
const anyResult: fc.Arbitrary<ToolResult> = fc.record(
  {
    id: anyText,
    content: fc.array(anyBlock, { maxLength: 4 }),
    isError: fc.boolean(),
    structuredContent: anyJson,
    metadata: fc.record({ outcome: fc.constant('completed' as const), extra: anyJson }, PLAIN),
    _meta: anyMeta,
  },
  { ...PLAIN, requiredKeys: ['content', 'isError'] },
)
