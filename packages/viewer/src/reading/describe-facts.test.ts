import { expect, test } from 'vitest'
import { formatTimeSpan } from './describe-facts.ts'

test.for([
  ['a moment', '2026-11-22T09:53:59.999Z', '2026-11-22 09:53 UTC'],
  ['some hours', '2026-11-22T11:05:00.000Z', '2026-11-22 09:53–11:05 UTC'],
  ['some days', '2026-11-23T09:53:00.000Z', '2026-11-22 09:53 – 2026-11-23 09:53 UTC'],
])('%s', ([, last = '', expected]) => {
  expect(formatTimeSpan('2026-11-22T09:53:01.000Z', last)).toBe(expected)
})
