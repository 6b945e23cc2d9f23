import { describe, expect, test } from 'vitest'
import { beginsWithTag, flagOf, isInFlag, revealOdd, revealOddInLine } from './odd-characters.ts'

const FLAG = '\u{1F3F4}'
const END = '\u{E007F}'

const tags = (text: string): string =>
  Array.from(text, (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')

test('a tag is a letter without a glyph', () => {
  for (const tag of ['\u{E0020}', tags('a'), END, `${tags('a')}b`])
    expect(beginsWithTag(tag)).toBe(true)
  for (const other of ['', 'a', '\u{E001F}', '\u{E0080}', '\u{E0100}', `a${tags('b')}`])
    expect(beginsWithTag(other)).toBe(false)
})

describe('tags', () => {
  test.for(['gbeng', 'gbsct', 'gbwls'])('of %s make a flag of a black one', (place) => {
    const whole = `${tags(place)}${END}`
    expect(flagOf(`a${FLAG}`, whole)).toBe('whole')
    expect(flagOf(FLAG, tags(place))).toBe('beginning')
    expect(flagOf(FLAG, tags('gb'))).toBe('beginning')
    expect(flagOf(`${FLAG} `, whole)).toBe('none')
    expect(flagOf('', whole)).toBe('none')
    expect(flagOf(FLAG, `${whole}${END}`)).toBe('none')
  })

  test('of another place make none', () => {
    expect(flagOf(FLAG, tags('us'))).toBe('none')
    expect(flagOf(FLAG, `${tags('usca')}${END}`)).toBe('none')
  })

  test('are part of a flag from behind its beginning to its end', () => {
    const flag = `${FLAG}${tags('gbeng')}${END}`
    const text = `${flag}${flag}${tags('x')}`
    const inFlag = Array.from(text, (_, index) => index)
      .map((index) => index * 2)
      .filter((at) => isInFlag(text, at))
    expect(inFlag).toEqual([2, 4, 6, 8, 10, 12, 16, 18, 20, 22, 24, 26])
    expect(isInFlag(`a${tags('gbeng')}${END}`, 1)).toBe(false)
    expect(isInFlag(`${FLAG}a${tags('gbeng')}${END}`, 3)).toBe(false)
    expect(isInFlag(`${FLAG}${tags('usca')}${END}`, 2)).toBe(false)
  })
})

test.for([
  ['plain é 世界', 'plain é 世界'],
  ['a\r\nb\nc', 'a\nb\nc'],
  ['a\u202Eb', 'a\\u{202E}b'],
  ['\u001B[31m', '\\u{1B}[31m'],
  ['a\u200Db', 'a\\u{200D}b'],
  ['👩\u200D💻', '👩\u200D💻'],
  ['\u{E0041}', '\\u{E0041}'],
  [`a${'\u0301'.repeat(8)}`, `a${'\u0301'.repeat(8)}`],
  [`a${'\u0301'.repeat(10)}`, `a${'\u0301'.repeat(8)}\\u{301}\\u{301}`],
])('%j is shown as %j: what nobody would see, by its number', ([text = '', shown]) => {
  expect(revealOdd(text)).toBe(shown)
})

test('in a line, line ends and tabs are shown too', () => {
  expect(revealOddInLine('a\r\nb\tc\n\u202E')).toBe('a⏎b c⏎\\u{202E}')
})
