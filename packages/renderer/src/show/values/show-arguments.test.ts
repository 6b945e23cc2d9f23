import { expect, test } from 'vitest'
import { showArguments } from './show-arguments.ts'

test.for<[unknown, string]>([
  ['text', 'text'],
  ['', '""'],
  [' a', '" a"'],
  ['a\n', 'a\n'],
  ['\n', '\n'],
  ['null', '"null"'],
  ['[1]', '"[1]"'],
  ['{', '{'],
  [3, '3'],
  [null, 'null'],
  [{ a: ['\u202E'] }, '{\n  "a": [\n    "\\u202e"\n  ]\n}'],
  [1n, '(no JSON)'],
  [undefined, '(no JSON)'],
])('the argument %o is shown as %j', ([value, text]) => {
  expect(showArguments({ a: value })).toEqual([{ kind: 'argument', name: 'a', text }])
})
