import { expect, onTestFinished, test, vi } from 'vitest'
import { contextOf } from '../testing/servers.suite.ts'
import { answerElicitation } from './answer-server.ts'
import { trackCalls } from './running-calls.ts'

test('a call’s time stands still while a person is asked, and goes on after the answer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const calls = trackCalls()
  const ask = async (): Promise<{ action: 'decline' }> => {
    vi.advanceTimersByTime(5000)
    return { action: 'decline' }
  }
  const how = { timeoutMs: 1000, isLive: false }
  const running = calls.begin({ id: 'c', name: 't', arguments: {} }, contextOf({ ask }), how)
  const page = { mode: 'url', message: 'Go there.', url: 'https://example.com' } as const
  const asking = { server: 's', calls, hooks: { canAsk: true } }
  const { signal } = running.deadline
  expect(await answerElicitation(page, running, asking, { signal })).toEqual({ action: 'decline' })
  expect(running.deadline.isOver).toBe(false)
  vi.advanceTimersByTime(1000)
  expect(running.deadline.isOver).toBe(true)
  calls.end(running)
})
