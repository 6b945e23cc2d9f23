import { createTerminalStyle, sanitizeTerminalText } from '@toolblocks/renderer'
import { expect, test } from 'vitest'
import { markWords, searchWords } from './mark-words.ts'

const style = createTerminalStyle('ansi')
const bold = (text: string): string => `\u001B[1m${text}\u001B[22m`

test('words are letters and digits, whatever stands between them', () => {
  expect(searchWords('two-words, "ÄÖ" .*+7')).toEqual(['two', 'words', 'ÄÖ', '7'])
  expect(searchWords(' .* ')).toEqual([])
})

test('every word is bold, in any spelling; a longer one goes before its beginning', () => {
  expect(markWords('The LAMP, lamps', ['lamp', 'lamps'], style)).toBe(
    `The ${bold('LAMP')}, ${bold('lamps')}`,
  )
})

test('without colours the line stays as it is', () => {
  expect(markWords('a lamp', ['lamp'], createTerminalStyle('none'))).toBe('a lamp')
})

test('what is between the words is sanitized', () => {
  const marked = markWords('\u001B[2Jlamp\u202E', ['lamp'], style)
  expect(sanitizeTerminalText(marked)).toBe(marked)
  expect(marked).toBe(`\\u{1B}[2J${bold('lamp')}\\u{202E}`)
})
