import type { TerminalText } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { wrapTyped, wrapWords } from './wrap-words.ts'

const text = 'one two three four five six' as TerminalText

test('rows are as wide as the terminal without the bar, and break between words', () => {
  expect(wrapWords([text], { columns: 26 })).toEqual(['one two three four five', 'six'])
  expect(wrapWords([text], { columns: 25 })).toEqual(['one two three four', 'five six'])
})

test('each line begins a row, and a word that is too long is broken', () => {
  const word = 'x'.repeat(45) as TerminalText
  expect(wrapWords([text, word], { columns: 30 })).toEqual([text, 'x'.repeat(27), 'x'.repeat(18)])
})

test('what is typed fills each row, blanks and all', () => {
  expect(wrapTyped('one  two three four five six ', { columns: 25 })).toEqual([
    'one  two three four fi',
    've six ',
  ])
})

test('a terminal that is very narrow gets rows of twenty all the same', () => {
  expect(wrapWords(['y'.repeat(21) as TerminalText], { columns: 4 })).toEqual(['y'.repeat(20), 'y'])
  expect(wrapTyped('y'.repeat(21), { columns: 4 })).toEqual(['y'.repeat(20), 'y'])
})
