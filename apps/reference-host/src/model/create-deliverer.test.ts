import fc from 'fast-check'
import { openStore, type ConversationEvent } from '@toolblocks/conversation-store'
import type { ToolResult } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { createDeliverer, type DelivererOptions } from './create-deliverer.ts'

const OPTIONS: DelivererOptions = {
  turn: 1,
  deduplication: {},
  format: {},
  ofTool: (name) => (name === 'fresh' ? false : undefined),
}

function read(id: string, name: string, size = 400): ToolResult {
  const uri = `file:///${name}`
  const sha256 = name.padEnd(64, '0')
  return {
    id,
    content: [{ type: 'resource', resource: { uri, text: 'x'.repeat(size) } }],
    isError: false,
    metadata: { outcome: 'completed', resources: [{ uri, sha256, bytes: size }] },
  }
}

test('what comes again is a reference, and the event says what the model was given', () => {
  const deliver = createDeliverer([], OPTIONS)
  deliver(read('c1', 'a'), 'read')
  const { text, event } = deliver(read('c2', 'a'), 'read')
  expect(text).toContain('block 1 of the result of call "c1" in this turn')
  expect(event).toMatchObject({ type: 'delivery', callId: 'c2', text, wholeLength: 408 })
  expect(deliver(read('c3', 'a'), 'fresh').text).toContain('xxx')
})

test.for([
  ['is switched off', { enabled: false }, 2],
  ['leaves out what is small', { min_bytes: 400 }, 2],
  ['does not look so far back', { lookback_turns: 3 }, 5],
] as const)('all of it comes again where the configuration %s', ([, deduplication, turn]) => {
  const { event } = createDeliverer([], OPTIONS)(read('c1', 'a'), 'read')
  const again = createDeliverer(event.deliveries, { ...OPTIONS, turn, deduplication })
  expect(again(read('c2', 'a'), 'read').text).toContain('xxx')
})

test('law: what a model was given follows from the events before it, and stays as it was', async () => {
  const names = fc.array(fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 4 }), {
    maxLength: 5,
  })
  await fc.assert(
    fc.asyncProperty(names, async (turns) => {
      const store = await openStore('memory:')
      const events: ConversationEvent[] = []
      const given: string[] = []
      for (const [index, reads] of turns.entries()) {
        const before = events.flatMap((event) =>
          event.type === 'delivery' ? event.deliveries : [],
        )
        const deliver = createDeliverer(before, { ...OPTIONS, turn: index + 1 })
        for (const [call, name] of reads.entries()) {
          const result = read(`c${index}.${call}`, name)
          const { text, event } = deliver(result, 'read')
          given.push(text)
          events.push({ type: 'tool_result', result }, event)
        }
      }
      await store.append('c', 0, events)
      const stored = (await store.read('c', { limit: Infinity })).events.map(({ event }) => event)
      const recorded = stored.flatMap((event) => (event.type === 'delivery' ? [event] : []))
      expect(recorded.map(({ text }) => text)).toEqual(given)
      // Written anew from the events before each, every text comes out the same.
      for (const [place, delivery] of recorded.entries()) {
        const before = recorded.slice(0, place).flatMap(({ deliveries }) => deliveries)
        const result = stored[2 * place]
        const turn = delivery.deliveries[0]?.turn ?? 1
        if (result?.type !== 'tool_result') throw new Error('expected a result')
        const again = createDeliverer(before, { ...OPTIONS, turn })(result.result, 'read')
        expect(again.event).toEqual(delivery)
      }
    }),
    { numRuns: 30 },
  )
})
