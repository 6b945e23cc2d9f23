import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { getContext } from '../testing/servers.support.ts'
import { pauseDeadline, startDeadline, stopDeadline, trackCalls } from './running-calls.ts'

const how = { timeoutMs: 10_000, isLive: false, isTimeoutSet: false }

const call = { id: 'c', name: 't', arguments: {} }

test('a call is found by its token only while it runs', () => {
  const calls = trackCalls()
  const others = trackCalls()
  const [one, other] = [calls.begin(call, getContext(), how), calls.begin(call, getContext(), how)]
  const stranger = others.begin(call, getContext(), how)
  expect([one, other].map((running) => calls.byToken(running.token))).toEqual([one, other])
  for (const token of [stranger.token, 1, '1', `${one.token}0`, undefined])
    expect(calls.byToken(token)).toBeUndefined()
  calls.end(one)
  expect(calls.byToken(one.token)).toBeUndefined()
  expect(calls.all()).toEqual([other])
  calls.end(other)
  others.end(stranger)
})

test('the calls of a server pause and resume together; ended calls no longer count', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const calls = trackCalls()
  const [one, ended] = [calls.begin(call, getContext(), how), calls.begin(call, getContext(), how)]
  const resume = calls.pause()
  vi.advanceTimersByTime(20_000)
  expect(one.deadline.isOver).toBe(false)
  resume()
  calls.end(ended)
  vi.advanceTimersByTime(10_001)
  expect([one.deadline.isOver, ended.deadline.isOver]).toEqual([true, false])
  calls.end(one)
})

beforeEach(() => void vi.useFakeTimers())

afterEach(() => void vi.useRealTimers())

const outer = new AbortController().signal

test('a deadline counts the time that is not paused', () => {
  const deadline = startDeadline(100, outer)
  vi.advanceTimersByTime(60)
  const [one, other] = [pauseDeadline(deadline), pauseDeadline(deadline)]
  vi.advanceTimersByTime(1000)
  one()
  one()
  vi.advanceTimersByTime(1000)
  expect(deadline.isOver).toBe(false)
  other()
  vi.advanceTimersByTime(39)
  expect(deadline.signal.aborted).toBe(false)
  vi.advanceTimersByTime(2)
  expect([deadline.isOver, deadline.signal.aborted]).toEqual([true, true])
  expect(String(deadline.signal.reason)).toBe('Error: no answer within 100 ms')
})

test.for(['running', 'paused', 'ended before it began'])(
  'a cancellation from outside ends one that is %s with its reason, and is not a timeout',
  (what) => {
    const controller = new AbortController()
    if (what === 'ended before it began') controller.abort('why')
    const deadline = startDeadline(100, controller.signal)
    const resume = what === 'paused' ? pauseDeadline(deadline) : () => undefined
    controller.abort('why')
    resume()
    expect([deadline.isOver, deadline.signal.reason]).toEqual([false, 'why'])
    vi.advanceTimersByTime(1000)
    expect([deadline.isOver, vi.getTimerCount()]).toEqual([false, 0])
  },
)

test('a stopped deadline stays stopped after a late answer or cancellation', () => {
  const controller = new AbortController()
  const deadline = startDeadline(100, controller.signal)
  const resume = pauseDeadline(deadline)
  stopDeadline(deadline)
  resume()
  vi.advanceTimersByTime(1000)
  controller.abort()
  expect([deadline.isOver, deadline.signal.aborted]).toEqual([false, false])
})

test.for(['stopped', 'over'])('one that is %s leaves no listener on the outer signal', (what) => {
  const { signal } = new AbortController()
  const deadline = startDeadline(100, signal)
  expect(getEventListeners(signal, 'abort')).toHaveLength(1)
  if (what === 'stopped') stopDeadline(deadline)
  else vi.advanceTimersByTime(101)
  expect(getEventListeners(signal, 'abort')).toEqual([])
})
