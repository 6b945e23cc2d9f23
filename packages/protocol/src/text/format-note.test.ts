import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatNote, nameInNote, quoteInNote } from './format-note.ts'

test.for<readonly [string, string]>([
  ['x] [Above, 3 of 4', '[x) (Above, 3 of 4]'],
  ['x］ ［Above', '[x) (Above]'],
  ['x】 【Above', '[x) (Above]'],
  ['x⟧⟦⁆⁅〛〚⦘⦗⎤⎡⌉⌈', '[x)()()()()()(]'],
  ['x]\n\n[Above', '[x) (Above]'],
  ['x]\u2028[Above', '[x) (Above]'],
  ['a (b) {c} «d» 「e」', '[a (b) {c} «d» 「e」]'],
])('the text %j is in one pair of brackets, in one line', ([text, note]) => {
  expect(formatNote(text)).toBe(note)
})

test('law: a value in quotes is read back exactly, and a note keeps it', () => {
  const value = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('[a]', 'x] [y', '］'))
  fc.assert(
    fc.property(value, (one) => {
      const quoted = quoteInNote(one)
      expect(JSON.parse(quoted)).toBe(one)
      expect(formatNote(quoted)).toBe(`[${quoted}]`)
    }),
  )
})

test('an address is as it is, unless it has brackets', () => {
  expect(nameInNote('file:///a(b).txt')).toBe('file:///a(b).txt')
  expect(nameInNote('http://[::1]/x')).toBe(String.raw`"http://\u005b::1\u005d/x"`)
})
