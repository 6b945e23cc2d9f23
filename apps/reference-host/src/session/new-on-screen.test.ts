import { createSuccessResult } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { newOnScreen, newRows } from './new-on-screen.ts'

test.for<[string, string, string, string]>([
  ['what was written behind', 'a\nb', 'a\nb\nc', 'c'],
  ['the row of a prompt with what was typed there', 'a\n>', 'a\n> 1\n1\n>', '> 1\n1\n>'],
  ['the same where all is one prompt', '>', '> 1\n1\n>', '> 1\n1\n>'],
  ['a last row that was drawn again', 'a\n50 %', 'a\n51 %', '51 %'],
  ['what follows rows that moved up', 'a\nb\nc\n>', 'b\nc\n> 1\n1\n>', '> 1\n1\n>'],
  ['what follows one row that stayed', 'a\nb\nc', 'c\nd\ne', 'd\ne'],
  ['all of a screen that was cleared', 'a\nb\nc', 'x\ny', 'x\ny'],
  ['all of a screen that changed in its middle', 'a\nb\nc\nd', 'a\nx\nc\nd', 'a\nx\nc\nd'],
  ['all of a screen that was empty', '', 'a\nb', 'a\nb'],
  ['nothing where it stands still', 'a\nb', 'a\nb', ''],
  ['nothing where its last rows were erased', 'a\nb\nc', '', ''],
])('shows %s', ([, before, now, expected]) => {
  expect(newRows(before, now)).toBe(expected)
})

const screen = (...texts: string[]): ReturnType<typeof createSuccessResult> =>
  createSuccessResult(texts.map((text) => ({ type: 'text', text })))

test('what comes with a screen is kept; a screen that stands still, alone, is no news', () => {
  expect(newOnScreen(screen('a'), screen('a'))).toBeUndefined()
  expect(newOnScreen(screen('a'), screen('a', 'It ended.'))).toEqual(screen('It ended.'))
  expect(newOnScreen(screen('a'), screen('a\nb', 'It ended.'))).toEqual(screen('b', 'It ended.'))
  expect(newOnScreen(screen(), screen('a'))).toEqual(screen('a'))
  expect(newOnScreen(screen(), screen(''))).toBeUndefined()
})
