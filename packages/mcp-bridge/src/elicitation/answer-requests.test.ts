import { expect, onTestFinished, test, vi } from 'vitest'
import { keepDeadlines } from '../calls/deadline.ts'
import { trackCalls } from '../calls/running-calls.ts'
import { contextOf } from '../testing/servers.suite.ts'
import { duringPause } from './answer-requests.ts'

test('a call’s time stands still while a person is asked, and goes on after the answer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const calls = trackCalls(keepDeadlines())
  const how = { timeoutMs: 1000, isLive: false }
  const running = calls.begin({ id: 'c', name: 't', arguments: {} }, contextOf(), how)
  await duringPause(running, calls, async () => {
    vi.advanceTimersByTime(5000)
    return { action: 'decline' }
  })
  expect(running.deadline.isOver).toBe(false)
  vi.advanceTimersByTime(1000)
  expect(running.deadline.isOver).toBe(true)
  calls.end(running)
})
