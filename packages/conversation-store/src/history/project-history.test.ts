import type { Delivery } from '@toolblocks/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Compaction, ConversationEvent, StoredEvent } from '../events/conversation-event.ts'
import { readHistory } from './read-history.ts'
import { type Projection, projectHistory } from './project-history.ts'

const sha256 = 'a'.repeat(64)
const uri = 'file:///a.rs'
const call = (id: string): ConversationEvent => ({
  type: 'tool_call',
  call: { id, name: 'read', arguments: { path: 'a.rs' } },
})
const result = (id: string): ConversationEvent => ({
  type: 'tool_result',
  result: {
    id,
    content: [{ type: 'resource', resource: { uri, mimeType: 'text/rust', text: 'fn main() {}' } }],
    isError: false,
    metadata: { outcome: 'completed', resources: [{ uri, sha256, bytes: 12 }] },
  },
})
const createDelivery = (
  callId: string,
  turn: number,
  form: Delivery['form'],
): ConversationEvent => ({
  type: 'delivery',
  deliveries: [{ callId, block: 0, uri, sha256, turn, form }],
  callId,
  text: `${form} in ${callId}`,
})
const thought: ConversationEvent = {
  type: 'assistant_message',
  content: [{ type: 'text', text: 'It is empty.' }],
  reasoning: 'hm',
  _meta: { signature: 's' },
}
const start = (turn: number): ConversationEvent => ({ type: 'turn_start', turn })
const say = (text: string): ConversationEvent => ({
  type: 'user_message',
  content: [{ type: 'text', text }],
})
const turn = (number: number, form: Delivery['form'] = 'full'): readonly ConversationEvent[] => {
  const id = `c${number}`
  return [
    start(number),
    say(`${number}?`),
    call(id),
    result(id),
    createDelivery(id, number, form),
    thought,
  ]
}
const compaction = (
  fromTurn: number,
  toTurn: number,
  what: Partial<Compaction>,
): ConversationEvent => ({
  type: 'compaction',
  fromTurn,
  toTurn,
  ...what,
})

function project(events: readonly ConversationEvent[]): Projection {
  const time = '2026-01-01T00:00:00.000Z'
  return projectHistory(
    readHistory(events.map((event, index): StoredEvent => ({ seq: index + 1, at: time, event }))),
  )
}

const shape = ({ entries }: Projection): readonly string[] =>
  entries.map(
    ({ turn: number, event, compacted }) => `${number} ${event.type}${compacted ? '*' : ''}`,
  )

/** Returns the forms in which the model has resources. */
const getForms = ({ entries }: Projection): readonly string[] =>
  entries.flatMap(({ deliveries = [] }) => deliveries.map(({ form }) => form))

const LINK = {
  type: 'resource_link',
  uri,
  name: uri,
  mimeType: 'text/rust',
  size: 12,
  description: `sha256 ${sha256}`,
  _meta: { 'toolblocks/identity': { uri, sha256, bytes: 12 } },
}

test('without a compaction a model receives all entries, each result in its recorded text', () => {
  const projected = project([...turn(1), ...turn(2, 'reference')])
  expect(projected.entries.map(({ event }) => event.type)).not.toContain('delivery')
  expect(projected.entries.flatMap(({ text }) => text ?? [])).toEqual([
    'full in c1',
    'reference in c2',
  ])
  expect(getForms(projected)).toEqual(['full', 'reference'])
})

test('a summary replaces its turns, and the resources they named stay named', () => {
  const projected = project([...turn(1), ...turn(2), compaction(1, 1, { summary: 'We read a.' })])
  expect(shape(projected).slice(0, 5)).toEqual([
    '1 turn_start*',
    '1 user_message*',
    '1 assistant_message*',
    '2 turn_start',
    '2 user_message',
  ])
  expect(projected.entries[2]?.event).toEqual({
    type: 'assistant_message',
    content: [{ type: 'text', text: 'We read a.' }, LINK],
  })
})

test('a stripped result keeps the status of its call and the names of its resources', () => {
  const { entries } = project([...turn(1), compaction(1, 1, { toolCalls: 'strip' })])
  const events = entries.map(({ event }) => event)
  expect(events[2]).toMatchObject({ call: { id: 'c1', arguments: {} } })
  expect(events[3]).toEqual({
    type: 'tool_result',
    result: {
      id: 'c1',
      content: [{ type: 'text', text: '[compacted] read: success' }, LINK],
      isError: false,
      metadata: { outcome: 'completed' },
    },
  })
  const kept = project([...turn(1), compaction(1, 1, { toolCalls: 'strip-results' })])
  expect(kept.entries[2]?.event).toEqual(call('c1'))
})

test('omitted calls leave one line with the resources they named', () => {
  const projected = project([...turn(1), compaction(1, 1, { toolCalls: 'omit' })])
  expect(shape(projected)).toEqual([
    '1 turn_start',
    '1 user_message',
    '1 assistant_message*',
    '1 assistant_message',
  ])
  expect(projected.entries[2]?.event).toMatchObject({
    content: [{ text: '[compacted] 1 call was omitted.' }, LINK],
  })
})

test('a thought is omitted together with what its provider needs back with it', () => {
  const { entries } = project([...turn(1), compaction(1, 1, { reasoning: 'strip' })])
  expect(entries.at(-1)?.event).toEqual({
    type: 'assistant_message',
    content: [{ type: 'text', text: 'It is empty.' }],
  })
  expect(entries.flatMap(({ text }) => text ?? [])).toEqual(['full in c1'])
})

describe('if several compactions cover a turn', () => {
  test('the later one counts, for each kind of content', () => {
    const { entries } = project([
      ...turn(1),
      compaction(1, 1, { toolCalls: 'omit', reasoning: 'strip' }),
      compaction(1, 1, { toolCalls: 'strip-results' }),
    ])
    expect(entries[3]?.event).toMatchObject({ type: 'tool_result' })
    expect(entries[4]?.event).not.toHaveProperty('reasoning')
  })

  test('a summary stays, whatever else is omitted', () => {
    const projected = project([
      ...turn(1),
      compaction(1, 1, { summary: 'Short.' }),
      compaction(1, 1, { toolCalls: 'omit' }),
    ])
    expect(shape(projected)).toEqual(['1 turn_start*', '1 user_message*', '1 assistant_message*'])
  })

  test('an undone one has no effect', () => {
    const events = [...turn(1), compaction(1, 1, { toolCalls: 'omit' }), { type: 'rewind', to: 6 }]
    expect(project(events as ConversationEvent[])).toEqual(project(turn(1)))
  })
})

test('a turn that contains a compaction stays unchanged if it continues after it', () => {
  const compact = compaction(1, 9, { toolCalls: 'omit' })
  expect(shape(project([...turn(1), compact, thought]))).toEqual(
    shape(project([...turn(1), thought])),
  )
})

test('a text does not refer to content that was delivered in full and then compacted', () => {
  const before = [...turn(1), ...turn(2, 'reference')]
  const projected = project([...before, compaction(1, 1, { toolCalls: 'omit' })])
  const { entries } = projected
  expect(getForms(projected)).toEqual([])
  // The recorded text would refer to removed content, so the result is written again.
  expect(entries.flatMap(({ text }) => text ?? [])).toEqual([])
})

test('a text does not refer to scrubbed content, and a delivery without a result has no effect', () => {
  const time = '2026-01-01T00:00:00.000Z'
  const events = [...turn(1), ...turn(2, 'reference'), createDelivery('c9', 2, 'full')]
  const stored = events.map((event, index): StoredEvent => ({ seq: index + 1, at: time, event }))
  const scrubbed = (type: string) =>
    projectHistory(
      readHistory(
        stored.map((each, index) =>
          index < 6 && each.event.type === type ? { ...each, scrubbedAt: time } : each,
        ),
      ),
    )
  expect(getForms(scrubbed('nothing'))).toEqual(['full', 'reference'])
  for (const type of ['tool_result', 'delivery']) {
    expect(getForms(scrubbed(type))).toEqual([])
    // A text that was written before stays the same, without the value.
    expect(scrubbed(type).entries.flatMap(({ text }) => text ?? [])).toEqual(['full in c1'])
  }
})

test('what a model received with a message stays with it as long as its turn does', () => {
  const delivery: Delivery = { callId: '', block: 0, uri, sha256, turn: 1, form: 'full' }
  const attached: ConversationEvent = { type: 'delivery', deliveries: [delivery] }
  const events = [start(1), say('See a.'), attached, thought]
  const [, message] = project(events).entries
  expect(message).toMatchObject({ event: { type: 'user_message' }, deliveries: [delivery] })
  const compacted = project([...events, compaction(1, 1, { summary: 'A file.' })])
  expect(getForms(compacted)).toEqual([])
})

describe('laws', () => {
  const policies = fc.constantFrom<Partial<Compaction>>(
    { summary: 's' },
    { reasoning: 'strip' },
    { toolCalls: 'omit' },
    { toolCalls: 'strip' },
    { toolCalls: 'strip-results' },
  )
  const ranges = fc.tuple(fc.integer({ min: 0, max: 7 }), fc.integer({ min: 0, max: 7 }), policies)
  const conversation = fc.array(fc.option(ranges, { freq: 3 }), { maxLength: 8 }).map((parts) => {
    let count = 0
    return parts.flatMap((part) =>
      part ? [compaction(...part)] : turn((count += 1), count % 2 === 0 ? 'reference' : 'full'),
    )
  })

  test('every call is followed by its result, and every result has its call', () => {
    fc.assert(
      fc.property(conversation, (events) => {
        const types = project(events).entries.map(({ event }) => event.type)
        const paired = types.filter((type) => type === 'tool_call' || type === 'tool_result')
        expect(paired).toEqual(
          paired.map((_, index) => (index % 2 === 0 ? 'tool_call' : 'tool_result')),
        )
      }),
    )
  })

  test('every resource stays named', () => {
    fc.assert(
      fc.property(conversation, (events) => {
        const had = events.some(({ type }) => type === 'tool_result')
        expect(JSON.stringify(project(events).entries).includes(sha256)).toBe(had)
      }),
    )
  })

  test('appended turns change nothing before them', () => {
    fc.assert(
      fc.property(conversation, (events) => {
        const before = project(events).entries
        // A compaction at the end takes effect after its turn, and that turn is over here.
        const after = project([...events, start(99), say('more')]).entries
        expect(after.slice(0, before.length)).toEqual(before)
      }),
    )
  })

  test('a text refers only to content that the model receives', () => {
    fc.assert(
      fc.property(conversation, (events) => {
        for (const { text, deliveries = [] } of project(events).entries)
          for (const { callId, form } of deliveries) expect(text).toBe(`${form} in ${callId}`)
      }),
    )
  })
})

test('a configuration stays when its turn is compacted, because later turns use it', () => {
  const configured: ConversationEvent = { type: 'configuration', values: { model: 'm' } }
  const [begin = start(1), ...rest] = turn(1)
  const { entries } = project([begin, configured, ...rest, compaction(1, 1, { summary: 'It.' })])
  expect(entries.map(({ event }) => event)).toContainEqual(configured)
  expect(entries.filter(({ event }) => event.type === 'tool_call')).toEqual([])
})
