import { expect, test } from 'vitest'
import { formatDuration } from './duration.ts'

test.for([
  [-5, '0 ms'],
  [Number.NaN, '0 ms'],
  [0.4, '0 ms'],
  [99, '99 ms'],
  [100, '0.1 s'],
  [9949, '9.9 s'],
  [9950, '10 s'],
  [59_400, '59 s'],
  [60_000, '1 min'],
  [61_250, '1 min 1 s'],
  [7_260_000, '2 h 1 min'],
] as const)('%d ms is shown as %s', ([milliseconds, formatted]) => {
  expect(formatDuration(milliseconds)).toBe(formatted)
})
