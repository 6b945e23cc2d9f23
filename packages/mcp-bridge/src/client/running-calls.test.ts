import { expect, onTestFinished, test, vi } from 'vitest'
import { contextOf } from '../testing/servers.suite.ts'
import { trackCalls } from './running-calls.ts'

const how = { timeoutMs: 10_000, isLive: false }
const call = { id: 'c', name: 't', arguments: {} }

test('a call is found by its token while it runs, and by no other', () => {
  const calls = trackCalls()
  const others = trackCalls()
  const [one, other] = [calls.begin(call, contextOf(), how), calls.begin(call, contextOf(), how)]
  const stranger = others.begin(call, contextOf(), how)
  expect([one, other].map((running) => calls.byToken(running.token))).toEqual([one, other])
  for (const token of [stranger.token, 1, '1', `${one.token}0`, undefined])
    expect(calls.byToken(token)).toBeUndefined()
  calls.end(one)
  expect(calls.byToken(one.token)).toBeUndefined()
  expect(calls.all()).toEqual([other])
  calls.end(other)
  others.end(stranger)
})

test('the calls of a server stand still together and go on together; what has ended counts no more', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const calls = trackCalls()
  const [one, ended] = [calls.begin(call, contextOf(), how), calls.begin(call, contextOf(), how)]
  const resume = calls.pause()
  vi.advanceTimersByTime(20_000)
  expect(one.deadline.isOver).toBe(false)
  resume()
  calls.end(ended)
  vi.advanceTimersByTime(10_000)
  expect([one.deadline.isOver, ended.deadline.isOver]).toEqual([true, false])
  calls.end(one)
})
