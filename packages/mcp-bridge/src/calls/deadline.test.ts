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
