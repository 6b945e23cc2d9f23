import { expect, test } from 'vitest'
import type { ConversationStore } from '../store/conversation-store.ts'
import type { ConversationEvent } from '../events/conversation-event.ts'

const say = (text: string): ConversationEvent => ({
  type: 'user_message',
  content: [{ type: 'text', text }],
})

/** Tests of finding events by their words. */
export function describeSearch(current: () => ConversationStore): void {
  test('events are found by words in any order and case, those that were written last first', async () => {
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
    expect(await places('lighthouse', { limit: 1 })).toEqual([['b', 1]])
    for (const nothing of ['', '  ', '"', '* -', 'light', 'NOT'])
      expect(await places(nothing)).toEqual([])
  })

  test('a hit shows the words in their surroundings', async () => {
    const store = current()
    await store.append('c', 0, [
      say(`${'x '.repeat(100)}\nthe needle\tin the hay ${'y '.repeat(100)}`),
    ])
    const [hit] = await store.search({ text: 'needle' })
    expect(hit).toMatchObject({ conversation: 'c', seq: 1, type: 'user_message' })
    expect(hit?.excerpt).toMatch(/^…x [x ]+ the needle in the hay [y ]+…$/)
  })

  test('a deleted conversation is found no more', async () => {
    const store = current()
    await store.append('a', 0, [say('lighthouse')])
    await store.append('b', 0, [say('lighthouse')])
    await store.delete('a')
    expect(
      (await store.search({ text: 'lighthouse' })).map(({ conversation }) => conversation),
    ).toEqual(['b'])
  })
}
