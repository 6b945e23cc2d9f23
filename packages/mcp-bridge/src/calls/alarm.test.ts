import * as fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createAlarm, type Due } from './alarm.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

const due = (milliseconds: number): Due => ({ dueAt: performance.now() + milliseconds })

test('each item is rung for once and within a millisecond, however many there are, with one timer', () => {
  const waits = fc.array(fc.integer({ min: 0, max: 200 }), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(waits, (given) => {
      const start = performance.now()
      const late: number[] = []
      const alarm = createAlarm<Due>(({ dueAt }) => void late.push(performance.now() - dueAt))
      for (const wait of given) alarm.set({ dueAt: start + wait - 0.5 })
      expect(vi.getTimerCount()).toBe(1)
      vi.advanceTimersByTime(1000)
      expect(late).toHaveLength(given.length)
      expect(late.every((by) => by >= 0 && by <= 1)).toBe(true)
      expect(vi.getTimerCount()).toBe(0)
    }),
  )
})

test('nobody is rung for who was cleared, or before it is due', () => {
  const rung: unknown[] = []
  const alarm = createAlarm<Due>((item) => void rung.push(item))
  const [short, long] = [due(10), due(20)]
  alarm.set(long)
  alarm.set(short)
  alarm.clear(short)
  vi.advanceTimersByTime(19)
  expect(rung).toEqual([])
  vi.advanceTimersByTime(1)
  expect(rung).toEqual([long])
})

test('a bell may set another alarm', () => {
  let rung = 0
  const alarm = createAlarm<Due>(() => {
    rung += 1
    if (rung === 1) alarm.set(due(5))
  })
  alarm.set(due(10))
  vi.advanceTimersByTime(14)
  expect(rung).toBe(1)
  vi.advanceTimersByTime(1)
  expect(rung).toBe(2)
})

test('a wait longer than Node’s timers know is no short one', () => {
  let rung = 0
  createAlarm<Due>(() => void (rung += 1)).set(due(2 ** 31 + 1000))
  const start = performance.now()
  vi.advanceTimersToNextTimer()
  expect([performance.now() - start, rung]).toEqual([2 ** 31 - 1, 0])
  vi.advanceTimersByTime(1001)
  expect(rung).toBe(1)
})

test('it keeps no process alive', () => {
  vi.useRealTimers()
  const timers = (): number =>
    process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
  const before = timers()
  const alarm = createAlarm<Due>(() => undefined)
  const item = due(60_000)
  alarm.set(item)
  expect(timers()).toBe(before)
  alarm.clear(item)
})
