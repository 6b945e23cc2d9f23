import { expect, test } from 'vitest'
import { findUnclosed } from './find-unclosed.ts'

test.for([
  ['[tools.x\nsource = "local"', 2, { line: 1, what: 'header' }],
  ['a = [1,\n2\n\n[tools.x]', 4, { line: 1, what: 'list' }],
  ['a = { b = 1\n[x]', 2, { line: 1, what: 'table' }],
  ['[x] # [\na = "[" # {\nb = \'{\'\nc = = 1', 4, undefined],
  ['a = [\n  [1],\n  [2]\nb = 2', 4, { line: 1, what: 'list' }],
  ['a = = 1', 1, undefined],
] as const)('of %j until line %d: %j', ([text, until, unclosed]) => {
  expect(findUnclosed(text, until)).toEqual(unclosed)
})
