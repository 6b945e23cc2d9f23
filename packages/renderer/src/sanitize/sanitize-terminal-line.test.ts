import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BURMESE_SPACE, hostileText, ODD_SPACE } from './attack-fragments.suite.ts'
import { sanitizeTerminalLine } from './sanitize-terminal-line.ts'
import { createTerminalOracle } from './terminal-oracle.suite.ts'

describe('sanitizeTerminalLine', () => {
  test.for([
    [1999, 'x'.repeat(1999)],
    [2003, `${'x'.repeat(2000)}…(+3)`],
  ] as const)('a line that may be longer keeps as much: of %i characters', ([length, shown]) => {
    expect(sanitizeTerminalLine('x'.repeat(length), { longest: 2000 })).toBe(shown)
  })

  test.for([
    ['plain text stays', 'rm -rf ./build', 'rm -rf ./build'],
    ['other scripts and emoji stay', 'Größe 漢字 👩🏽‍💻 می‌خواهم', 'Größe 漢字 👩🏽‍💻 می‌خواهم'],
    ['an override shows', 'a\u202Eb', 'a\\u{202E}b'],
    ['a tag character shows', 'a\u{E0041}b', 'a\\u{E0041}b'],
    ['a zero-width space shows', 'a\u200Bb', 'a\\u{200B}b'],
    [
      'a sequence shows with all it holds',
      'ls\u001B]0;; rm -rf /\u0007',
      'ls\\u{1B}]0;; rm -rf /\\u{7}',
    ],
    ['a colour is no colour', '\u001B[31mred', '\\u{1B}[31mred'],
    ['a C1 control shows', 'a\u009B2J', 'a\\u{9B}2J'],
    ['CR shows', 'safe\rEVIL', 'safe\\u{D}EVIL'],
    ['a lone surrogate shows', 'a\uD800', 'a\\u{D800}'],
    ['line ends show', 'one\ntwo\r\nthree', 'one⏎two⏎three'],
    ['a tab is a space', 'a\tb', 'a b'],
    ['of more spaces than three, three stay', `ls${' '.repeat(5000)}; rm -rf /`, 'ls   ; rm -rf /'],
    [
      'tabs and other spaces are spaces',
      `ls${'\t\u00A0\u3000\u2003'.repeat(99)}; rm`,
      'ls \u00A0\u3000; rm',
    ],
    ['of more line ends than three, three stay', `a${'\n'.repeat(99)}b`, 'a⏎⏎⏎b'],
    ['line ends among spaces stay in sight', `a${' '.repeat(9)}\n${' '.repeat(9)}b`, 'a   ⏎b'],
    ['indentation of a host stays', '  a', '  a'],
    ['of a pile of marks eight stay', `e${'\u0301'.repeat(9)}`, `e${'\u0301'.repeat(8)}\\u{301}`],
    ['200 characters stay', 'x'.repeat(200), 'x'.repeat(200)],
    ['more are counted', 'x'.repeat(212), `${'x'.repeat(200)}…(+12)`],
    ['many more too', 'x'.repeat(1_000_200), `${'x'.repeat(200)}…(+1000000)`],
    ['an emoji is one character of 200', '👩🏽‍💻'.repeat(200), '👩🏽‍💻'.repeat(200)],
    ['nothing stays nothing', '', ''],
  ])('%s', ([, text, expected]) => {
    expect(sanitizeTerminalLine(text ?? '')).toBe(expected)
  })

  test('is one line in which nothing acts and nothing is invisible', () => {
    fc.assert(
      fc.property(hostileText(60), (text) => {
        const line = sanitizeTerminalLine(text)
        expect(line).not.toMatch(
          /[\p{Cc}\p{Bidi_Control}\p{Surrogate}\u2028\u2029\u2060-\u2064\uFEFF]/u,
        )
        expect(line).not.toMatch(ODD_SPACE)
        expect(line).not.toMatch(/\s{4}/)
      }),
      { numRuns: 1500, examples: [[BURMESE_SPACE], ['a\u200Bb']] },
    )
  })

  test('stands between the words of a host without touching them', async () => {
    const oracle = createTerminalOracle()
    await fc.assert(
      fc.asyncProperty(hostileText(), async (text) => {
        expect(await oracle.effectsOf(`Run "${sanitizeTerminalLine(text)}"?`)).toEqual([])
      }),
      { numRuns: 300 },
    )
  })

  test('leaves alone what it wrote itself', () => {
    fc.assert(
      fc.property(hostileText(12), (text) => {
        const once = sanitizeTerminalLine(text)
        fc.pre(!once.includes('…(+'))
        expect(sanitizeTerminalLine(once)).toBe(once)
      }),
      { numRuns: 1500 },
    )
  })

  test('shows every character but spaces, for texts that are not too long', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 20 }), (text) => {
        const shown = sanitizeTerminalLine(text)
          .replaceAll('⏎', '\n')
          .replaceAll(/\\u\{([\dA-F]+)\}/g, (_, code: string) =>
            String.fromCodePoint(Number.parseInt(code, 16)),
          )
        expect(shown.replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''))
      }),
    )
  })
})
