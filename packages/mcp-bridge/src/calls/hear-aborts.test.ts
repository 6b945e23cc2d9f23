import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { hearAborts } from './hear-aborts.ts'

const heardOn = ({ signal }: AbortController): number => getEventListeners(signal, 'abort').length

function hear() {
  const told: unknown[] = []
  return { told, aborts: hearAborts<string>((item, reason) => void told.push([item, reason])) }
}

test('all items of a signal are told with one listener, and those of another are not', () => {
  const { told, aborts } = hear()
  const [one, other] = [new AbortController(), new AbortController()]
  for (const item of ['a', 'b', 'c']) aborts.add(item, one.signal)
  aborts.add('d', other.signal)
  aborts.remove('b', one.signal)
  expect([heardOn(one), heardOn(other)]).toEqual([1, 1])
  one.abort('why')
  expect(told).toEqual([
    ['a', 'why'],
    ['c', 'why'],
  ])
  expect(heardOn(one)).toBe(0)
  aborts.remove('a', one.signal)
})

test('only the last signal that nobody needs any more is heard on', () => {
  const { told, aborts } = hear()
  const signals = [new AbortController(), new AbortController(), new AbortController()]
  for (const { signal } of signals) {
    aborts.add('a', signal)
    aborts.remove('a', signal)
  }
  expect(signals.map(heardOn)).toEqual([0, 0, 1])
  signals[2]?.abort()
  expect(told).toEqual([])
  const [first] = signals
  if (first) aborts.add('b', first.signal)
  first?.abort('why')
  expect(told).toEqual([['b', 'why']])
})

test('a signal that is needed again is heard on, whatever comes after it', () => {
  const { told, aborts } = hear()
  const [one, other] = [new AbortController(), new AbortController()]
  aborts.add('a', one.signal)
  aborts.remove('a', one.signal)
  aborts.add('b', one.signal)
  aborts.add('c', other.signal)
  aborts.remove('c', other.signal)
  one.abort('why')
  expect(told).toEqual([['b', 'why']])
})

test('what has aborted already tells nobody', () => {
  const { told, aborts } = hear()
  const signal = AbortSignal.abort()
  aborts.add('a', signal)
  aborts.remove('a', signal)
  expect([told, getEventListeners(signal, 'abort')]).toEqual([[], []])
})
