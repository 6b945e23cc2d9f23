import type { TerminalText } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { rowsOf } from './rows-of.ts'

test.for<[string, string, number]>([
  ['an empty line is a row', '', 1],
  ['every line is a row', 'a\nb\n', 3],
  ['what is as wide as the screen is one row', 'x'.repeat(10), 1],
  ['what is wider is more', 'x'.repeat(11), 2],
  ['colours take no room', `\u001B[1;31m${'x'.repeat(10)}\u001B[0m`, 1],
  ['what is not ASCII may be wide', '漢字漢字漢字', 2],
])('%s', ([, text, rows]) => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- text that a renderer would have written
  expect(rowsOf(text as TerminalText, 10)).toBe(rows)
})
