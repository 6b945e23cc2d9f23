import fc from 'fast-check'
import { META_MADE_BY } from '@toolblocks/protocol/internal'
import { describe, expect, test } from 'vitest'
import type { ConversationEvent, StoredEvent } from '../events/conversation-event.ts'
import { type History, readHistory } from './read-history.ts'

const turn: ConversationEvent = { type: 'turn_start', turn: 1 }
const say = (text: string): ConversationEvent => ({
  type: 'user_message',
  content: [{ type: 'text', text }],
})
const call = (id: string): ConversationEvent => ({
  type: 'tool_call',
  call: { id, name: 'read', arguments: {} },
})
const result = (id: string): ConversationEvent => ({
  type: 'tool_result',
  result: { id, content: [], isError: false },
})
const ask = (callId: string): ConversationEvent => {
  const question = { id: 'go', text: 'Go?', schema: true }
  return { type: 'question', id: `${callId}.go`, callId, question, asked: 'user' }
}
const answer = (callId: string): ConversationEvent => ({
  type: 'answer',
  id: `${callId}.go`,
  callId,
  action: 'accept',
  value: true,
})

function read(...events: readonly ConversationEvent[]): History {
  return readHistory(
    events.map((event, index): StoredEvent => ({
      seq: index + 1,
      at: '2026-01-01T00:00:00.000Z',
      event,
    })),
  )
}

const shape = ({ entries }: History): readonly string[] =>
  entries.map(
    ({ seq, turn: number, event, synthetic }) =>
      `${number}:${seq} ${event.type}${synthetic ? ' (interrupted)' : ''}`,
  )

test('a conversation in order is unchanged', () => {
  const history = read(
    turn,
    say('a'),
    call('c1'),
    ask('c1'),
    answer('c1'),
    result('c1'),
    turn,
    say('b'),
  )
  expect(shape(history)).toEqual([
    '1:1 turn_start',
    '1:2 user_message',
    '1:3 tool_call',
    '1:4 question',
    '1:5 answer',
    '1:6 tool_result',
    '2:7 turn_start',
    '2:8 user_message',
  ])
  expect([history.unpaired, history.undone]).toEqual([[], []])
})

test('without events that begin turns, the messages of people begin them', () => {
  expect(shape(read(call('c0'), say('a'), say('b'))).at(-1)).toBe('2:3 user_message')
})

test('a message that a program wrote in the name of a person begins no turn', () => {
  const context = say('<environment_context>\n/w</environment_context>')
  const stopped = say('[Request interrupted by user]')
  expect(shape(read(context, say('a'), call('c1'), context, result('c1'), stopped))).toEqual([
    '0:1 user_message',
    '1:2 user_message',
    '1:3 tool_call',
    '1:4 user_message',
    '1:5 tool_result',
    '1:6 user_message',
  ])
})

describe('a call without a result', () => {
  test('gets a result that says that it was interrupted, after the questions of the call', () => {
    const history = read(turn, call('c1'), call('c2'), ask('c1'), result('c2'), turn)
    expect(shape(history)).toEqual([
      '1:1 turn_start',
      '1:2 tool_call',
      '1:3 tool_call',
      '1:4 question',
      '1:2 tool_result (interrupted)',
      '1:5 tool_result',
      '2:6 turn_start',
    ])
    expect(history.entries[4]?.event).toMatchObject({
      result: { id: 'c1', isError: true, metadata: { outcome: 'cancelled' } },
    })
  })

  test('has the result that was stored in a later turn, unless that turn has an open call of the same id', () => {
    expect(shape(read(turn, call('c1'), turn, result('c1')))).toEqual([
      '1:1 turn_start',
      '1:2 tool_call',
      '1:4 tool_result',
      '2:3 turn_start',
    ])
    const again = read(turn, call('c1'), turn, call('c1'), result('c1'), result('c1'))
    expect(again.entries.map(({ seq, callSeq }) => [seq, callSeq])).toEqual([
      [1, undefined],
      [2, undefined],
      [6, 2],
      [3, undefined],
      [4, undefined],
      [5, 4],
    ])
    expect(again.unpaired).toEqual([])
  })
})

test('pairs an id that is used again in order', () => {
  const history = read(
    turn,
    call('c1'),
    result('c1'),
    call('c1'),
    result('c1'),
    turn,
    call('c1'),
    result('c1'),
  )
  expect(history.entries).toHaveLength(8)
  expect(history.unpaired).toEqual([])
})

test('lists separately the results and questions without a call, and the answers without a question', () => {
  const history = read(
    turn,
    result('c1'),
    ask('c1'),
    call('c2'),
    answer('c2'),
    result('c2'),
    result('c2'),
  )
  expect(history.unpaired.map(({ seq }) => seq)).toEqual([2, 3, 5, 7])
})

test('a question before the call that a host made from its answer belongs to that call', () => {
  const made: ConversationEvent = {
    type: 'tool_call',
    call: { id: 'c1.answer-1', name: 'stage', arguments: {}, _meta: { [META_MADE_BY]: 'host' } },
  }
  const before = [turn, call('c1'), result('c1'), ask('c1.answer-1'), answer('c1.answer-1')]
  const history = read(...before, made, result('c1.answer-1'))
  expect(history.unpaired).toEqual([])
  expect(shape(history).slice(3)).toEqual([
    '1:4 question',
    '1:5 answer',
    '1:6 tool_call',
    '1:7 tool_result',
  ])
  // The call of a model cannot include what was asked before it.
  const plain = read(...before, call('c1.answer-1'), result('c1.answer-1'))
  expect(plain.unpaired.map(({ seq }) => seq)).toEqual([4, 5])
})

test('a rewind undoes the events after its target, and the store keeps them', () => {
  const history = read(turn, say('a'), turn, say('b'), { type: 'rewind', to: 2 }, turn, say('c'))
  expect(shape(history)).toEqual([
    '1:1 turn_start',
    '1:2 user_message',
    '2:6 turn_start',
    '2:7 user_message',
  ])
  expect(history.undone.map(({ seq }) => seq)).toEqual([3, 4])
})

test('a rewind that another rewind undoes has no effect', () => {
  const history = read(turn, say('a'), say('b'), { type: 'rewind', to: 2 }, say('c'), {
    type: 'rewind',
    to: 1,
  })
  expect(shape(history)).toEqual(['1:1 turn_start'])
})

const getIds = (
  entries: History['entries'],
  type: 'tool_call' | 'tool_result',
): readonly string[] =>
  entries.flatMap(({ event }) => {
    if (event.type === 'tool_call' && type === event.type) return [event.call.id]
    return event.type === 'tool_result' && type === event.type ? [event.result.id ?? ''] : []
  })

function callsWithoutResult(entries: History['entries']): readonly string[] {
  const results = [...getIds(entries, 'tool_result')]
  return getIds(entries, 'tool_call').filter((id) => {
    const index = results.indexOf(id)
    if (index !== -1) results.splice(index, 1)
    return index === -1
  })
}

/** Returns the results that precede every open call of their id. */
function resultsWithoutCall(entries: History['entries']): readonly number[] {
  return entries.flatMap(({ event, seq }, index) => {
    if (event.type !== 'tool_result') return []
    const before = entries.slice(0, index)
    const own = (type: 'tool_call' | 'tool_result'): number =>
      getIds(before, type).filter((id) => id === event.result.id).length
    return own('tool_call') > own('tool_result') ? [] : [seq]
  })
}

test('law: every call has one result after it, and no event is lost', () => {
  const id = fc.constantFrom('a', 'b')
  const event = fc.oneof(
    fc.constant(turn),
    fc.constant(say('x')),
    id.map(call),
    id.map(result),
    id.map(ask),
    id.map(answer),
    fc.nat(12).map((to): ConversationEvent => ({ type: 'rewind', to })),
  )
  const law = fc.property(fc.array(event, { maxLength: 30 }), (events) => {
    const { entries, unpaired: aside, undone } = read(...events)
    const rewinds = events.filter(({ type }) => type === 'rewind').length
    const real = entries.filter(({ synthetic }) => !synthetic).length
    expect(real + aside.length + undone.length + rewinds).toBe(events.length)
    expect(callsWithoutResult(entries)).toEqual([])
    expect(resultsWithoutCall(entries)).toEqual([])
  })
  fc.assert(law)
})

test('law: a conversation that grew or was changed is read as if for the first time', () => {
  const kinds = [turn, say('a'), call('c'), ask('c'), answer('c'), result('c')]
  const events = fc.array(
    fc.oneof(
      fc.constantFrom(...kinds),
      fc.record({ type: fc.constant('rewind' as const), to: fc.nat(12) }),
    ),
    { maxLength: 12 },
  )
  fc.assert(
    fc.property(events, fc.nat(11), fc.constantFrom(...kinds), (sequence, offset, other) => {
      const stored = sequence.map((event, index): StoredEvent => ({
        seq: index + 1,
        at: '',
        event,
      }))
      for (let end = 0; end <= stored.length; end += 1) {
        const grown = stored.slice(0, end)
        expect(readHistory(grown)).toEqual(readHistory(structuredClone(grown)))
      }
      if (stored.length === 0) return
      const index = offset % stored.length
      const changed = stored.with(index, { seq: index + 1, at: '', event: other })
      expect(readHistory(changed)).toEqual(readHistory(structuredClone(changed)))
    }),
  )
})
