import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { truncateText } from './truncate-text.ts'

const limits = (
  first: number,
  last = 0,
  lineLength = 1000,
): Parameters<typeof truncateText>[1] => ({
  first,
  last,
  lineLength,
})

describe('cutText', () => {
  test.for([
    ['nothing is left out of a text that fits', 'a\nb\n', limits(2), ['a\nb', 0, '']],
    ['lines after the first are counted', 'a\nb\nc\nd\n', limits(2), ['a\nb', 2, '']],
    ['last lines are kept', 'a\nb\nc\nd\ne', limits(1, 2), ['a', 2, 'd\ne']],
    ['a text that just fits head and tail is whole', 'a\nb\nc', limits(1, 2), ['a\nb\nc', 0, '']],
    ['a line feed at the end begins no line', 'a\n', limits(1), ['a', 0, '']],
    ['empty lines count', '\n\n\n', limits(1), ['', 2, '']],
    ['nothing is nothing', '', limits(1), ['', 0, '']],
    [
      'a long line is cut, and its rest counted',
      'abcdef\ngh',
      limits(9, 0, 4),
      ['abcd\n…(+2)\ngh', 0, ''],
    ],
    ['a line is not cut within a character', 'abc😀d', limits(9, 0, 4), ['abc\n…(+2)', 0, '']],
  ] as const)('%s', ([, text, within, [first, left, last]]) => {
    expect(truncateText(text, within)).toEqual({ first, left, last })
  })

  test('every line is shown or counted', () => {
    const lines = fc.array(fc.constantFrom('', 'a', 'b c'), { minLength: 1, maxLength: 30 })
    fc.assert(
      fc.property(lines, fc.integer({ min: 1, max: 12 }), fc.nat(12), (all, first, last) => {
        fc.pre(all.at(-1) !== '')
        const cut = truncateText(all.join('\n'), limits(first, last))
        const head = cut.first.split('\n')
        const tail = cut.left === 0 || last === 0 ? [] : cut.last.split('\n')
        expect(head).toEqual(all.slice(0, head.length))
        expect(tail).toEqual(all.slice(all.length - tail.length))
        expect(head.length + cut.left + tail.length).toBe(all.length)
        const isCut = cut.left > 0
        expect([head.length, tail.length]).toEqual(isCut ? [first, last] : [all.length, 0])
      }),
    )
  })
})
