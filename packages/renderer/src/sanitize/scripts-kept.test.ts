import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createTerminalSanitizer, sanitizeTerminalLine, sanitizeTerminalText } from '../index.ts'

const tags = (text: string): string =>
  text.replaceAll(/./g, (letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0)))
const flag = (place: string): string => `\u{1F3F4}${tags(place)}\u{E007F}`

describe('nothing legitimate is replaced', () => {
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

describe('still nothing hides', () => {
  test.for([
    ['text in tags', `a${tags('delete all')}`],
    ['text in tags behind a flag', `${flag('gbeng')}${tags('x')}`],
    ['a flag that does not end', `\u{1F3F4}${tags('gbeng')}a`],
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

  test('text in pieces comes out as the whole does, and a tag only in a flag', () => {
    const part = fc.constantFrom(
      '\u{1F3F4}',
      ...Array.from(flag('gbsct')),
      ...Array.from(tags('glw')),
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
          (left, place) => left.replaceAll(flag(place), ''),
          whole as string,
        )
        expect(rest).not.toMatch(/[\u{E0020}-\u{E007F}]/u)
        expect(whole).not.toMatch(/\u200B\u200B/)
      }),
    )
  })
})
