import { expect, test } from 'vitest'
import { readNumber } from './read-number.ts'

test.for([
  ['3', 3],
  [' -2.5 ', -2.5],
  ['+.5', 0.5],
  ['1e3', 1000],
  ['9007199254740991', 9007199254740991],
  ['-9007199254740991', -9007199254740991],
] as const)('%j is a number', ([text, value]) => {
  expect(readNumber(text, 'any')).toEqual({ ok: true, value })
})

test.for(['9007199254740993', '-9007199254740993', '1e17', '1e400'])(
  '%s would not come through exactly',
  (text) => {
    expect(readNumber(text, 'any')).toEqual({
      ok: false,
      problem: 'the number is too large to be kept exactly',
    })
  },
)

test.for(['', 'x', '0x10', '1,5', 'NaN', 'Infinity', '.'])('%j is none', (text) => {
  expect(readNumber(text, 'any')).toMatchObject({ ok: false })
})

test('a whole number has no fraction', () => {
  expect(readNumber('2.0', 'whole')).toEqual({ ok: true, value: 2 })
  expect(readNumber('2.5', 'whole')).toMatchObject({
    problem: 'expected a whole number, for example 3',
  })
})
