import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { signalOf } from '../connection/ending.ts'
import { keepDeadlines } from './deadline.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

const outer = new AbortController().signal

test('a deadline counts the time that is not paused', () => {
  const deadlines = keepDeadlines()
  const deadline = deadlines.start(100, outer)
  vi.advanceTimersByTime(60)
  const [one, other] = [deadlines.pause(deadline), deadlines.pause(deadline)]
  vi.advanceTimersByTime(1000)
  one()
  one()
  vi.advanceTimersByTime(1000)
  expect(deadline.isOver).toBe(false)
  other()
  vi.advanceTimersByTime(39)
  expect(signalOf(deadline).aborted).toBe(false)
  vi.advanceTimersByTime(2)
  expect([deadline.isOver, signalOf(deadline).aborted]).toEqual([true, true])
})

test('an abort from outside is no deadline', () => {
  const controller = new AbortController()
  const deadline = keepDeadlines().start(100, controller.signal)
  controller.abort()
  expect([deadline.isOver, signalOf(deadline).aborted]).toEqual([false, true])
  vi.advanceTimersByTime(1000)
  expect(deadline.isOver).toBe(false)
})

test('what has stopped stays stopped, whoever answers late', () => {
  const controller = new AbortController()
  const deadlines = keepDeadlines()
  const deadline = deadlines.start(100, controller.signal)
  const resume = deadlines.pause(deadline)
  deadlines.stop(deadline)
  resume()
  vi.advanceTimersByTime(1000)
  controller.abort()
  expect(signalOf(deadline).aborted).toBe(false)
})

test('what has stopped in time is never over, and no abort reaches it', () => {
  const controller = new AbortController()
  const deadlines = keepDeadlines()
  const deadline = deadlines.start(100, controller.signal)
  deadlines.stop(deadline)
  vi.advanceTimersByTime(1000)
  controller.abort()
  expect([deadline.isOver, deadline.hasEnded]).toEqual([false, false])
})

test('many deadlines share a timer, and each ends in its own time', () => {
  const deadlines = keepDeadlines()
  const all = [300, 100, 200].map((milliseconds) => deadlines.start(milliseconds, outer))
  expect(vi.getTimerCount()).toBe(1)
  const over = (): boolean[] => all.map(({ isOver }) => isOver)
  vi.advanceTimersByTime(99)
  expect(over()).toEqual([false, false, false])
  vi.advanceTimersByTime(1)
  expect(over()).toEqual([false, true, false])
  vi.advanceTimersByTime(100)
  expect(over()).toEqual([false, true, true])
  vi.advanceTimersByTime(100)
  expect(over()).toEqual([true, true, true])
})

test('a deadline under a signal that has aborted has ended from the start', () => {
  const deadline = keepDeadlines().start(100, AbortSignal.abort('why'))
  expect([deadline.hasEnded, deadline.isOver, signalOf(deadline).reason]).toEqual([
    true,
    false,
    'why',
  ])
  expect(vi.getTimerCount()).toBe(0)
})

test('the abort of a signal ends all that run under it, also the paused ones, with its reason', () => {
  const controller = new AbortController()
  const deadlines = keepDeadlines()
  const [one, paused, stranger] = [controller.signal, controller.signal, outer].map((signal) =>
    deadlines.start(100, signal),
  )
  if (!one || !paused || !stranger) throw new Error('three were started')
  const resume = deadlines.pause(paused)
  controller.abort('why')
  resume()
  vi.advanceTimersByTime(99)
  expect([one, paused, stranger].map(({ reason }) => reason)).toEqual(['why', 'why', undefined])
  vi.advanceTimersByTime(1)
  expect([one, paused, stranger].map(({ isOver }) => isOver)).toEqual([false, false, true])
})

test('what is over keeps its reason, whoever aborts later', () => {
  const controller = new AbortController()
  const deadline = keepDeadlines().start(100, controller.signal)
  vi.advanceTimersByTime(100)
  controller.abort('late')
  expect(String(deadline.reason)).toBe('Error: no answer within 100 ms')
})
