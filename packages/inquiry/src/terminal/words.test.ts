import type { RenderTerminalLine, TerminalText } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import {
  getHeadline,
  joinWords,
  renderWhole,
  getRows,
  terminalText,
  wrapTyped,
  wrapWords,
} from './words.ts'

const name = 'Ada' as TerminalText

test('a template of the package accepts terminal text and numbers', () => {
  expect(terminalText`${name} (${1} of ${2})`).toBe('Ada (1 of 2)')
  expect(joinWords([name, name], ', ')).toBe('Ada, Ada')
})

test('a type error rejects an untrusted string', () => {
  const outside: string = '\u001B[2J'
  // @ts-expect-error -- it was not sanitized
  expect(terminalText`${outside}`).toBe(outside)
  // @ts-expect-error -- it was not sanitized
  expect(joinWords([outside], '')).toBe(outside)
})

/** Shows the first fifty characters of a line, and counts its pieces. */
function cutting(): { renderLine: RenderTerminalLine; pieces: string[] } {
  const pieces: string[] = []
  const renderLine: RenderTerminalLine = (text) => {
    pieces.push(text)
    return Array.from(text).slice(0, 50).join('') as TerminalText
  }
  return { renderLine, pieces }
}

test.for([0, 1, 49, 50, 51, 100, 101])('all of %i characters are kept', (length) => {
  const text = Array.from({ length }, (_, index) => String.fromCharCode(97 + (index % 26))).join('')
  const { renderLine, pieces } = cutting()
  expect(renderWhole(text, renderLine)).toBe(text)
  expect(pieces).toHaveLength(Math.max(1, Math.ceil(length / 50)))
})

test('a text is never split inside a character of several code points', () => {
  const { renderLine, pieces } = cutting()
  renderWhole('e\u0301'.repeat(51), renderLine)
  expect(pieces).toEqual(['e\u0301'.repeat(50), 'e\u0301'])
})

const counted = 'one two three four five six' as TerminalText

test('rows are as wide as the terminal without the bar, and break between words', () => {
  expect(wrapWords([counted], { columns: 26 })).toEqual(['one two three four five', 'six'])
  expect(wrapWords([counted], { columns: 25 })).toEqual(['one two three four', 'five six'])
  expect(wrapWords([counted], { columns: 14 })).toEqual(['one two', 'three four', 'five six'])
})

test('each line begins a row, and a word that is too long is broken', () => {
  const word = 'x'.repeat(45) as TerminalText
  expect(wrapWords([counted, word], { columns: 30 })).toEqual([
    counted,
    'x'.repeat(27),
    'x'.repeat(18),
  ])
})

test('typed text fills each row, blanks included', () => {
  expect(wrapTyped('one  two three four five six ', { columns: 25 })).toEqual([
    'one  two three four fi',
    've six ',
  ])
})

test('a very narrow terminal gets rows of eight columns', () => {
  const rows = ['y'.repeat(8), 'y'.repeat(8), 'y'.repeat(5)]
  expect(wrapWords(['y'.repeat(21) as TerminalText], { columns: 4 })).toEqual(rows)
  expect(wrapTyped('y'.repeat(21), { columns: 4 })).toEqual(rows)
})

/** Shows a line up to its hundredth character, and control characters as a mark. */
const renderLine: RenderTerminalLine = (text) =>
  Array.from(text)
    .slice(0, 100)
    .join('')
    // oxlint-disable-next-line no-control-regex -- what a terminal obeys
    .replaceAll(/[\u0000-\u001F]/g, '?') as TerminalText

test.for(['Which?', 'a'.repeat(61), 'a'.repeat(100)])(
  'a text of one line is the label: %s',
  (text) => {
    expect(getHeadline(text, renderLine)).toEqual({ label: text, extent: 'whole' })
  },
)

test.for<[string, string, string]>([
  ['several lines', 'First?\nSecond.', 'First?'],
  ['several lines of another system', 'First?\r\nSecond.', 'First?'],
  ['lines that are overwritten', 'First?\rSecond.', 'First??Second.'],
  ['empty lines around it', '\n \nFirst?\n', 'First?'],
  ['more than is shown of a line', 'a'.repeat(101), 'a'.repeat(60)],
  ['characters of two code units', '😀'.repeat(101), '😀'.repeat(60)],
])('the label of %s is its beginning', ([, text, beginning]) => {
  expect(getHeadline(text, renderLine)).toEqual({ label: `${beginning} …`, extent: 'begun' })
})

test.for<[string, string, number]>([
  ['an empty line is a row', '', 1],
  ['every line is a row', 'a\nb\n', 3],
  ['what is as wide as the screen is one row', 'x'.repeat(10), 1],
  ['what is wider is more', 'x'.repeat(11), 2],
  ['colours take no room', `\u001B[1;31m${'x'.repeat(10)}\u001B[0m`, 1],
  ['what is not ASCII may be wide', '漢字漢字漢字', 2],
])('%s', ([, text, rows]) => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- text that a renderer would have written
  expect(getRows(text as TerminalText, 10)).toBe(rows)
})
