import { expect, test } from 'vitest'
import { codeSpan } from './code-span.ts'

test.for([
  ['a plain name', 'read_file', '`read_file`'],
  ['backticks', 'a``b', '``` a``b ```'],
  ['line ends, controls and what is invisible', 'a\n# b\u0007\u202Ec', '`a # b c`'],
  ['half a character', 'a\uD800', '`a`'],
  ['nothing', ' \n', ''],
  ['a long one', 'x'.repeat(300), `\`${'x'.repeat(200)}\``],
] as const)('%s', ([, text, expected]) => {
  expect(codeSpan(text)).toBe(expected)
})
