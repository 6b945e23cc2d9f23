import { expect, test } from 'vitest'
import { inSlices, processIds, readState } from './process-table.ts'

test('a long list leaves others their turn, and gives every number once', async () => {
  const numbers = Array.from({ length: 1000 }, (_, index) => index)
  let turns = 0
  let next = setImmediate(function count() {
    turns += 1
    next = setImmediate(count)
  })
  const given: number[] = []
  for await (const number of inSlices(numbers)) given.push(number)
  clearImmediate(next)
  expect(given).toEqual(numbers)
  expect(turns).toBeGreaterThan(10)
  expect(turns).toBeLessThan(100)
})

test.skipIf(process.platform !== 'linux')('a process is known by its number', () => {
  expect(processIds()).toContain(process.pid)
  expect(readState(process.pid)).toMatchObject({ state: expect.stringMatching(/^[RS]$/) })
  expect(readState(2 ** 30)).toBeUndefined()
})
