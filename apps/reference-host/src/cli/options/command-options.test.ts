import { expect, test } from 'vitest'
import { readLaterTime } from './command-options.ts'

test.for([
  ['2830-02-28', '2830-02-28T00:00:00.000Z'],
  ['2828-02-29T10:00Z', '2828-02-29T10:00:00.000Z'],
  ['2830-12-31T23:59:59+02:00', '2830-12-31T21:59:59.000Z'],
] as const)('the date %s is a later time', ([typed, time]) => {
  expect(readLaterTime(typed).toISOString()).toBe(time)
})

test.for([
  ['10m', 600_000],
  ['2h', 7_200_000],
  ['90d', 7_776_000_000],
] as const)('%s is a time from now on', ([typed, milliseconds]) => {
  const later = readLaterTime(typed).getTime() - Date.now()
  expect(later).toBeGreaterThan(milliseconds - 60_000)
  expect(later).toBeLessThanOrEqual(milliseconds)
})

test.for([
  ['2830-02-30', 'expected a day that exists, got 2830-02-30'],
  ['2830-02-29T10:00Z', 'expected a day that exists, got 2830-02-29'],
  ['2830-13-01', 'expected a day that exists, got 2830-13-01'],
  ['2830-01-01T25:00', 'expected a time from now on, such as 90d or 12h, or a later date'],
  ['2830-01-01 (noon)', 'expected a time from now on, such as 90d or 12h, or a later date'],
  ['5x', 'expected a time from now on, such as 90d or 12h, or a later date'],
  ['2020-01-01', 'got a time in the past'],
  ['0d', 'got a time in the past'],
] as const)('%s is no later time', ([typed, message]) => {
  expect(() => readLaterTime(typed)).toThrow(message)
})
