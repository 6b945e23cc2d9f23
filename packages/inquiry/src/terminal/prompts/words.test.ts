import type { TerminalText } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { joinWords, words } from './words.ts'

const name = 'Ada' as TerminalText

test('our words go around text for the terminal and numbers', () => {
  expect(words`${name} (${1} of ${2})`).toBe('Ada (1 of 2)')
  expect(joinWords([name, name], ', ')).toBe('Ada, Ada')
})

test('a string from outside does not fit in, by type', () => {
  const outside: string = '\u001B[2J'
  // @ts-expect-error -- it was not sanitized
  expect(words`${outside}`).toBe(outside)
  // @ts-expect-error -- it was not sanitized
  expect(joinWords([outside], '')).toBe(outside)
})
