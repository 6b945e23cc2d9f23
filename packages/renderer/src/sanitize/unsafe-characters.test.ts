import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createTerminalSanitizer, sanitizeTerminalLine, sanitizeTerminalText } from '../index.ts'
import {
  beginsWithTag,
  getFlag,
  isInFlag,
  revealUnsafe,
  revealUnsafeInLine,
} from './unsafe-characters.ts'

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
  test.for(['gbeng', 'gbsct', 'gbwls'])('of %s form a flag after a black flag', (region) => {
    const whole = `${tags(region)}${END}`
    expect(getFlag(`a${FLAG}`, whole)).toBe('whole')
    expect(getFlag(FLAG, tags(region))).toBe('beginning')
    expect(getFlag(FLAG, tags('gb'))).toBe('beginning')
    expect(getFlag(`${FLAG} `, whole)).toBe('none')
    expect(getFlag('', whole)).toBe('none')
    expect(getFlag(FLAG, `${whole}${END}`)).toBe('none')
  })

  test('of another place do not form a flag', () => {
    expect(getFlag(FLAG, tags('us'))).toBe('none')
    expect(getFlag(FLAG, `${tags('usca')}${END}`)).toBe('none')
  })

  test('are part of a flag from its beginning to its end', () => {
    const flag = `${FLAG}${tags('gbeng')}${END}`
    const text = `${flag}${flag}${tags('x')}`
    const inFlag = Array.from(text, (_, index) => index)
      .map((index) => index * 2)
      .filter((index) => isInFlag(text, index))
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
])('%j is shown as %j: an invisible character, by its number', ([text = '', revealed]) => {
  expect(revealUnsafe(text)).toBe(revealed)
})

test('in a line, line ends and tabs are shown too', () => {
  expect(revealUnsafeInLine('a\r\nb\tc\n\u202E')).toBe('a⏎b c⏎\\u{202E}')
})

const tagged = (text: string): string =>
  text.replaceAll(/./g, (letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0)))

const flag = (region: string): string => `\u{1F3F4}${tagged(region)}\u{E007F}`

describe('no legitimate character is replaced', () => {
  test.for([
    [
      'Thai, with zero-width spaces between its words',
      'สวัสดี\u200Bชาวโลก \u200Bครับ'.replace(' \u200B', ' '),
    ],
    ['Thai beside other letters and digits', 'ใช้\u200BGoogle\u200Bได้ ๑๒\u200Bวัน'],
    ['Lao', 'ສະບາຍດີ\u200Bຊາວໂລກ'],
    ['Khmer, with zero-width spaces and inherent vowels', 'សួស្តី\u200Bពិភពលោក ក\u17B4ខ ស\u17B5'],
    ['Burmese', 'မင်္ဂလာပါ\u200Bကမ္ဘာ'],
    ['the flag of England', flag('gbeng')],
    ['the flags of Scotland and Wales in a line', `a ${flag('gbsct')}${flag('gbwls')} b`],
  ] as const)('in %s', ([, text]) => {
    expect(sanitizeTerminalText(text)).toBe(text)
    expect(sanitizeTerminalLine(text)).toBe(text)
  })
})

describe('nothing is invisible', () => {
  test.for([
    ['text in tagged', `a${tagged('delete all')}`],
    ['text in tagged behind a flag', `${flag('gbeng')}${tagged('x')}`],
    ['a flag that does not end', `\u{1F3F4}${tagged('gbeng')}a`],
    ['a flag of a place that has none', flag('usca')],
    ['a tag that ends nothing', '\u{E007F}'],
    ['zero-width spaces between other letters', 'a\u200Bb'],
    ['several zero-width spaces', 'ก\u200B\u200Bก'],
    ['vowels without a glyph that stand alone', 'a\u17B4'],
    ['vowels without a glyph in a row', 'ក\u17B4\u17B5'],
  ] as const)('in %s', ([, text]) => {
    expect(sanitizeTerminalText(text)).toContain('\uFFFD')
    expect(sanitizeTerminalLine(text)).toContain('\\u{')
  })

  test('law: text in pieces gives the same as the complete text, and a tag only in a flag', () => {
    const part = fc.constantFrom(
      '\u{1F3F4}',
      ...Array.from(flag('gbsct')),
      ...Array.from(tagged('glw')),
      'ก',
      '\u200B',
      '\u17B4',
      'ក',
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 24 }), fc.nat(24), (parts, cut) => {
        const text = parts.join('')
        const sanitizer = createTerminalSanitizer()
        const pieces = [text.slice(0, cut), text.slice(cut)].map((piece) => sanitizer.push(piece))
        const whole = sanitizeTerminalText(text)
        expect(pieces.join('') + sanitizer.finish()).toBe(whole)
        const rest = ['gbeng', 'gbsct', 'gbwls'].reduce(
          (left, region) => left.replaceAll(flag(region), ''),
          whole as string,
        )
        expect(rest).not.toMatch(/[\u{E0020}-\u{E007F}]/u)
        expect(whole).not.toMatch(/\u200B\u200B/)
      }),
    )
  })
})
