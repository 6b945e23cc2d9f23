import { expect, test } from 'vitest'
import { readTurns } from './read-turns.ts'

test.for([
  ['3', 3, 3],
  ['2-4', 2, 4],
  ['2-', 2, Infinity],
  ['-4', 1, 4],
] as const)('%s is from %d to %d', ([value, from, to]) => {
  expect(readTurns(value)).toEqual({ from, to })
})

test.for(['', '-', '0', '4-2', '1-2-3', 'x', '1.5'])('%j is refused', (value) => {
  expect(() => readTurns(value)).toThrow('expected turns such as 3, 2-4, 2- or -4')
})
