import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startDeadline } from './deadline.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

const outer = new AbortController().signal

test('a deadline counts the time that is not paused', () => {
  const deadline = startDeadline(100, outer)
  vi.advanceTimersByTime(60)
  const [one, other] = [deadline.pause(), deadline.pause()]
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
  'an abort from outside ends one that is %s with its reason, and is no deadline',
  (what) => {
    const controller = new AbortController()
    if (what === 'ended before it began') controller.abort('why')
    const deadline = startDeadline(100, controller.signal)
    const resume = what === 'paused' ? deadline.pause() : () => undefined
    controller.abort('why')
    resume()
    expect([deadline.isOver, deadline.signal.reason]).toEqual([false, 'why'])
    vi.advanceTimersByTime(1000)
    expect([deadline.isOver, vi.getTimerCount()]).toEqual([false, 0])
  },
)

test('what has stopped stays stopped, whoever answers or aborts late', () => {
  const controller = new AbortController()
  const deadline = startDeadline(100, controller.signal)
  const resume = deadline.pause()
  deadline.stop()
  resume()
  vi.advanceTimersByTime(1000)
  controller.abort()
  expect([deadline.isOver, deadline.signal.aborted]).toEqual([false, false])
})

test.for(['stopped', 'over'])('one that is %s leaves the outer signal alone', (what) => {
  const { signal } = new AbortController()
  const deadline = startDeadline(100, signal)
  expect(getEventListeners(signal, 'abort')).toHaveLength(1)
  if (what === 'stopped') deadline.stop()
  else vi.advanceTimersByTime(100)
  expect(getEventListeners(signal, 'abort')).toEqual([])
})
