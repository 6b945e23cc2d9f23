import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutText } from './cut-text.ts'

test('a text that fits stays', () => {
  expect(cutText('abc', 3)).toEqual({ text: 'abc', kept: 3 })
})

test('the middle goes, at the ends of lines where they are near', () => {
  const text = Array.from({ length: 30 }, (_, index) => `line ${index}`).join('\n')
  expect(cutText(text, 60).text).toBe(
    'line 0\nline 1\nline 2\nline 3\nline 4\n…\nline 27\nline 28\nline 29',
  )
})

test('a line that is longer than what may be kept is cut inside', () => {
  expect(cutText('x'.repeat(100), 10)).toEqual({ text: 'xxxxxx\n…\nxxxx', kept: 10 })
})

test('law: no character is cut in half, and no more is kept than may be', () => {
  const text = fc.string({ unit: fc.constantFrom('😀', 'a', '\n', 'é'), maxLength: 60 })
  fc.assert(
    fc.property(text, fc.nat(40), (given, limit) => {
      const cut = cutText(given, limit)
      expect(cut.text.isWellFormed()).toBe(true)
      expect(cut.kept).toBeLessThanOrEqual(Math.max(limit, 0))
    }),
  )
})
