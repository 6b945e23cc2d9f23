import { expect, test } from 'vitest'
import { revealOdd, revealOddInLine } from './reveal-odd.ts'

test.for([
  ['plain é 世界', 'plain é 世界'],
  ['a\r\nb\nc', 'a\nb\nc'],
  ['a\u202Eb', 'a\\u{202E}b'],
  ['\u001B[31m', '\\u{1B}[31m'],
  ['a\u200Db', 'a\\u{200D}b'],
  ['👩\u200D💻', '👩\u200D💻'],
  ['\u{E0041}', '\\u{E0041}'],
  [`a${'\u0301'.repeat(8)}`, `a${'\u0301'.repeat(8)}`],
  [`a${'\u0301'.repeat(10)}`, `a${'\u0301'.repeat(8)}\\u{301}\\u{301}`],
])('%j is shown as %j: what nobody would see, by its number', ([text = '', shown]) => {
  expect(revealOdd(text)).toBe(shown)
})

test('in a line, line ends and tabs are shown too', () => {
  expect(revealOddInLine('a\r\nb\tc\n\u202E')).toBe('a⏎b c⏎\\u{202E}')
})
