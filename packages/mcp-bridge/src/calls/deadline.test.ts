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
})

test('an abort from outside is no deadline', () => {
  const controller = new AbortController()
  const deadline = startDeadline(100, controller.signal)
  controller.abort()
  expect([deadline.isOver, deadline.signal.aborted]).toEqual([false, true])
})

test('what has stopped stays stopped, whoever answers late', () => {
  const deadline = startDeadline(100, outer)
  const resume = deadline.pause()
  deadline.stop()
  resume()
  vi.advanceTimersByTime(1000)
  expect(deadline.signal.aborted).toBe(false)
})
