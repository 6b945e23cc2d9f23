import { expect, test } from 'vitest'
import { collapseBlanks } from './collapse-blanks.ts'

test.for([
  ['a  b', 3, 'a  b'],
  ['a   b', 3, 'a   b'],
  ['a    b', 3, 'a   b'],
  ['a\t \u00A0\u3000b', 3, 'a\t \u00A0b'],
  ['a\u1680\u2000\u200A\u202F\u205F\u2800b', 1, 'a\u1680b'],
  ['a   \n   b', 3, 'a   \nb'],
  ['a\r\nb\rc', 3, 'a\nb\rc'],
  ['a\n\n\nb', 1, 'a\n\n\nb'],
  ['a\n\n\n\n\nb', 1, 'a\n\n\nb'],
  ['  a    b', 2, '  a  b'],
] as const)('%j with %d blanks in a row is %j', ([text, kept, collapsed]) => {
  expect(collapseBlanks(text, kept)).toBe(collapsed)
})
