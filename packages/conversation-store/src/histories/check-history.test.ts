import { describe, expect, test } from 'vitest'
import {
  checkHistory,
  findReturnedSecrets,
  type HistoryCall,
  type HistoryOperation,
} from './check-history.support.ts'

const append = (expected: number, event: string): HistoryCall => ({
  kind: 'append',
  expected,
  events: [event],
  ok: true,
  seq: expected + 1,
})
const conflict = (expected: number, seq: number): HistoryCall => ({
  kind: 'append',
  expected,
  events: ['lost'],
  ok: false,
  seq,
})
const read = (...events: readonly string[]): HistoryCall => ({
  kind: 'read',
  after: 0,
  limit: 10,
  events,
  seqs: events.map((_, index) => index + 1),
  more: false,
})
const operation = (start: number, end: number, call: HistoryCall): HistoryOperation => ({
  ...call,
  start,
  end,
})

/** Calls one after the other. */
const inTurn = (...calls: readonly HistoryCall[]): HistoryOperation[] =>
  calls.map((call, index) => operation(2 * index, 2 * index + 1, call))

describe('a history is serializable', () => {
  test.for<[string, HistoryOperation[]]>([
    ['if it has no calls', []],
    [
      'if each call sees the ones before it',
      inTurn(append(0, 'a'), read('a'), conflict(0, 1), append(1, 'b'), read('a', 'b')),
    ],
    [
      'if calls at the same time have one order',
      [operation(0, 9, append(0, 'a')), operation(1, 8, conflict(0, 1)), operation(2, 7, read())],
    ],
    [
      'if a deleted conversation begins again',
      inTurn(append(0, 'a'), { kind: 'delete', existed: true }, read(), append(0, 'b'), read('b')),
    ],
    [
      'if pages and counts show a state that existed',
      inTurn(
        append(0, 'a'),
        append(1, 'b'),
        { kind: 'count', count: 2 },
        { kind: 'read', after: 1, limit: 1, events: ['b'], seqs: [2], more: false },
        { kind: 'read', after: 0, limit: 1, events: ['a'], seqs: [1], more: true },
      ),
    ],
  ])('%s', ([, history]) => {
    expect(checkHistory(history)).toBe('serializable')
  })
})

describe('a history is impossible', () => {
  test.for<[string, HistoryOperation[]]>([
    ['if an acknowledged append is lost', inTurn(append(0, 'a'), read())],
    [
      'if two appends take the same place',
      [operation(0, 9, append(0, 'a')), operation(0, 9, append(0, 'b'))],
    ],
    [
      'if a read is older than one that ended before it',
      inTurn(append(0, 'a'), append(1, 'b'), read('a', 'b'), read('a')),
    ],
    [
      'if two readers see different orders',
      [
        operation(0, 9, append(0, 'a')),
        operation(10, 11, read('a', 'b')),
        operation(0, 9, append(0, 'b')),
        operation(10, 11, read('b', 'a')),
      ],
    ],
    [
      'if a read misses an event in the middle',
      inTurn(append(0, 'a'), append(1, 'b'), append(2, 'c'), read('a', 'c')),
    ],
    [
      'if an event has a wrong number',
      inTurn(append(0, 'a'), { ...read('a'), seqs: [2] } as HistoryCall),
    ],
    ['if a conflict had no other writer', inTurn(append(0, 'a'), conflict(1, 1))],
    ['if a conflict names another end', inTurn(append(0, 'a'), conflict(0, 2))],
    ['if a refused append is read', inTurn(append(0, 'a'), conflict(0, 1), read('a', 'lost'))],
    ['if an event is read before its append started', inTurn(read('a'), append(0, 'a'))],
    [
      'if a deleted event returns',
      inTurn(append(0, 'a'), { kind: 'delete', existed: true }, read('a')),
    ],
    [
      'if two deletes remove the same events',
      [
        operation(0, 1, append(0, 'a')),
        operation(2, 9, { kind: 'delete', existed: true }),
        operation(2, 9, { kind: 'delete', existed: true }),
      ],
    ],
    [
      'if an append continues what was deleted',
      inTurn(append(0, 'a'), { kind: 'delete', existed: true }, append(1, 'b')),
    ],
    [
      'if a page says that there is more',
      inTurn(append(0, 'a'), { ...read('a'), more: true } as HistoryCall),
    ],
    [
      'if a list counts an event that nobody appended',
      inTurn(append(0, 'a'), { kind: 'count', count: 2 }),
    ],
    [
      'if half of an append is read',
      inTurn({ kind: 'append', expected: 0, events: ['a', 'b'], ok: true, seq: 2 }, read('a')),
    ],
  ])('%s', ([, history]) => {
    expect(checkHistory(history)).toBe('impossible')
  })
})

test('a history with too many possible orders is not called right', () => {
  const appends = Array.from({ length: 40 }, (_, index) => operation(0, 9, conflict(1 + index, 0)))
  expect(checkHistory([...appends, operation(20, 21, read('never'))], { maxStates: 1000 })).toBe(
    'undecided',
  )
})

describe('a removed secret', () => {
  const times = (start: number, end: number) => ({ start, end })
  test('that is read after its scrub ended is found', () => {
    const late = { ...times(6, 7), hasSecret: true }
    const scrubs = [times(2, 5)]
    expect(findReturnedSecrets({ appended: times(0, 1), scrubs, reads: [late] })).toEqual([late])
  })
  test('that returns after a read without it is found', () => {
    const reads = [
      { ...times(3, 4), hasSecret: false },
      { ...times(5, 6), hasSecret: true },
    ]
    expect(findReturnedSecrets({ appended: times(0, 1), scrubs: [times(2, 9)], reads })).toEqual([
      reads[1],
    ])
  })
  test('may be read while it is scrubbed, and if it was appended later', () => {
    const reads = [{ ...times(4, 6), hasSecret: true }]
    expect(findReturnedSecrets({ appended: times(0, 1), scrubs: [times(2, 5)], reads })).toEqual([])
    expect(
      findReturnedSecrets({
        appended: times(3, 4),
        scrubs: [times(2, 3)],
        reads: [{ ...times(6, 7), hasSecret: true }],
      }),
    ).toEqual([])
  })
})
