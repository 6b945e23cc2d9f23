import fc from 'fast-check'
import { openStore, type ConversationEvent } from '@toolblocks/conversation-store'
import { anthropicProfile } from '@toolblocks/formatter/anthropic'
import type { ToolResult } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { createDeliverer, type DeliveryOptions, spentInTurn } from './deliver-results.ts'

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const OPTIONS: DeliveryOptions = {
  turn: 1,
  deliverAs: (name) => (name === 'fresh' ? false : undefined),
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

test('repeated content becomes a reference, and the event records what the model received', () => {
  const deliver = createDeliverer([], OPTIONS)
  deliver(read('c1', 'a'), 'read')
  const { text, event } = deliver(read('c2', 'a'), 'read')
  expect(text).toContain('block 1 of the result of call "c1" in this turn')
  expect(event).toMatchObject({ type: 'delivery', callId: 'c2', text, wholeLength: 408 })
  expect(deliver(read('c3', 'a'), 'fresh').text).toContain('xxx')
})

test.for([
  ['deduplication is off', { deduplicate: false }, 2],
  ['the content is small', { minBytes: 400 }, 2],
  ['the earlier delivery is too many turns back', { lookbackTurns: 3 }, 5],
] as const)('repeated content is complete again if %s', ([, limits, turn]) => {
  const { event } = createDeliverer([], OPTIONS)(read('c1', 'a'), 'read')
  const again = createDeliverer(event.deliveries, { ...OPTIONS, ...limits, turn })
  expect(again(read('c2', 'a'), 'read').text).toContain('xxx')
})

test('law: what a model received follows from the earlier events, and does not change', async () => {
  const names = fc.array(fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 4 }), {
    maxLength: 5,
  })
  await fc.assert(
    fc.asyncProperty(names, async (turns) => {
      const store = await openStore('memory:')
      const events: ConversationEvent[] = []
      const texts: string[] = []
      for (const [index, reads] of turns.entries()) {
        const before = events.flatMap((event) =>
          event.type === 'delivery' ? event.deliveries : [],
        )
        const deliver = createDeliverer(before, { ...OPTIONS, turn: index + 1 })
        for (const [call, name] of reads.entries()) {
          const result = read(`c${index}.${call}`, name)
          const { text, event } = deliver(result, 'read')
          texts.push(text)
          events.push({ type: 'tool_result', result }, event)
        }
      }
      await store.append('c', 0, events)
      const stored = (await store.read('c', { limit: Infinity })).events.map(({ event }) => event)
      const recorded = stored.flatMap((event) => (event.type === 'delivery' ? [event] : []))
      expect(recorded.map(({ text }) => text)).toEqual(texts)
      // The text is the same when it is built again from the events before each result.
      for (const [index, delivery] of recorded.entries()) {
        const before = recorded.slice(0, index).flatMap(({ deliveries }) => deliveries)
        const result = stored[2 * index]
        const turn = delivery.deliveries[0]?.turn ?? 1
        if (result?.type !== 'tool_result') throw new Error('expected a result')
        const again = createDeliverer(before, { ...OPTIONS, turn })(result.result, 'read')
        expect(again.event).toEqual(delivery)
      }
    }),
    { numRuns: 30 },
  )
})

test('a result stays within its budget, and names the tool that reads the rest; results of that tool are never truncated', () => {
  const perResult = 1000
  const deliver = createDeliverer([], { ...OPTIONS, perResult, readTool: 'read_tool_result' })
  const { text, event } = deliver(read('c1', 'a', 5000), 'read')
  expect(text.length).toBeLessThan(1300)
  expect(text).toContain('The tool read_tool_result reads all of it: call "c1", block 1.')
  expect(event.wholeLength).toBeGreaterThan(5000)
  expect(deliver(read('c2', 'b', 5000), 'read_tool_result').text.length).toBeGreaterThan(5000)
})

test('without limits of the host, a result has 100,000 characters and a turn 400,000', () => {
  const deliver = createDeliverer([], OPTIONS)
  const lengths = [1, 2, 3, 4, 5].map(
    (index) => deliver(read(`c${index}`, `f${index}`, 770_000), 'read').text.length,
  )
  expect(lengths.every((length) => length < 100_500)).toBe(true)
  expect(lengths.slice(0, 3).every((length) => length > 99_000)).toBe(true)
  expect(lengths[4]).toBeLessThan(1500)
  const whole = createDeliverer([], { ...OPTIONS, perResult: Infinity, perTurn: Infinity })
  expect(whole(read('c1', 'a', 770_000), 'read').text.length).toBeGreaterThan(770_000)
})

test('the results of a turn stay within their common budget: parallel calls share it, and the next result may use what one of them leaves', () => {
  const deliver = createDeliverer([], { ...OPTIONS, perTurn: 6000 })
  const lengths = [3, 2, 1].map(
    (waiting) =>
      deliver(read(`c${waiting}`, `f${waiting}`, waiting === 3 ? 100 : 9000), 'read', waiting).text
        .length,
  )
  const [small = 0, second = 0, last = 0] = lengths
  expect(small).toBeLessThan(200)
  expect(second).toBeGreaterThan(2500)
  expect(small + second + last).toBeLessThan(6500)
  expect(last).toBeGreaterThan(2500)
})

test('what the model received earlier in the turn counts, and every result keeps enough text to be recognized', () => {
  const perTurn = 6000
  const event = createDeliverer([], OPTIONS)(read('c1', 'a', 5900), 'read').event
  const events = [{ type: 'turn_start' as const, turn: 1 }, event].map((each, index) => ({
    seq: index + 1,
    at: '',
    event: each,
  }))
  const spent = spentInTurn(events)
  expect(spent).toBe(event.text?.length)
  const { text } = createDeliverer([], { ...OPTIONS, perTurn, spent })(
    read('c2', 'b', 9000),
    'read',
  )
  expect(text.length).toBeGreaterThan(400)
  expect(text.length).toBeLessThan(900)
})

test('a result is formatted by the options, and referenced as far as the model accepted it; the event contains everything that was delivered', () => {
  const profile = anthropicProfile
  const format = { root: '/w', resourceHeader: 'name' } as const
  const uri = 'file:///w/sub/a.png'
  const sha256 = 'a'.repeat(64)
  const blob = Buffer.concat([Buffer.from(PNG, 'base64'), Buffer.alloc(600)]).toString('base64')
  const picture = (id: string): ToolResult => ({
    id,
    content: [{ type: 'resource', resource: { uri, mimeType: 'image/png', blob } }],
    isError: false,
    metadata: { outcome: 'completed', resources: [{ uri, sha256, bytes: 600 }] },
  })
  const deliver = createDeliverer([], { ...OPTIONS, turn: 7, format, profile })
  const { text, event } = deliver(picture('c1'), 'read')
  expect(text).toContain('Resource sub/a.png')
  expect(event).toEqual({
    type: 'delivery',
    callId: 'c1',
    deliveries: [expect.objectContaining({ callId: 'c1', uri, sha256, turn: 7, form: 'full' })],
    text,
    wholeLength: text.length,
  })
  expect(deliver(picture('c2'), 'read').text).toContain('in this turn')
  const unknown = createDeliverer([], { ...OPTIONS, format })
  unknown(picture('c1'), 'read')
  expect(unknown(picture('c2'), 'read').text).not.toContain('has not changed')
})

test('a setting of one tool overrides the setting of all tools', () => {
  const deliverAs = (name: string): boolean | undefined => (name === 'again' ? true : undefined)
  const deliver = createDeliverer([], { ...OPTIONS, deduplicate: false, deliverAs })
  deliver(read('c1', 'a'), 'again')
  expect(deliver(read('c2', 'a'), 'other').text).toContain('xxx')
  expect(deliver(read('c3', 'a'), 'again').text).toContain('has not changed')
})
