import { expect, test } from 'vitest'
import { lineRange } from './line-range.ts'

test.for([
  ['file:///a#L7', 'line 7'],
  ['file:///a#L7-L7', 'line 7'],
  ['file:///a#L10-20', 'lines 10-20'],
  ['file:///a#L10-L20', 'lines 10-20'],
  ['file:///a#L7-8-9', undefined],
  ['file:///a#section', undefined],
  ['file:///a', undefined],
])('%s names %s', ([uri = '', lines]) => {
  expect(lineRange(uri)).toBe(lines)
})
