import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BURMESE_SPACE, ODD_SPACE, hostileText } from './attack-fragments.support.ts'
import {
  collapseBlanks,
  sanitizeTerminalLine,
  sanitizeTerminalText,
} from './sanitize-terminal-text.ts'
import { createTerminalOracle } from './terminal-oracle.support.ts'
import { createTerminalSanitizer } from './terminal-sanitizer.ts'

const ESC = '\u001B'
const BEL = '\u0007'
const ST = `${ESC}\\`

describe('control sequences', () => {
  test.for([
    ['CSI that erases', `a${ESC}[2Jb`, 'ab'],
    ['CSI that moves up', `a${ESC}[1Ab`, 'ab'],
    ['CSI with a private marker', `a${ESC}[?1049hb`, 'ab'],
    ['CSI with an intermediate', `a${ESC}[!pb`, 'ab'],
    ['OSC 0, a title, ended by BEL', `a${ESC}]0;title${BEL}b`, 'ab'],
    ['OSC 52, the clipboard, ended by ST', `a${ESC}]52;c;YWJj${ST}b`, 'ab'],
    [
      'OSC 8, a link, of which the text stays',
      `${ESC}]8;;http://x${ST}here${ESC}]8;;${ST}`,
      'here',
    ],
    ['OSC 1337, a file', `a${ESC}]1337;File=:YQ==${BEL}b`, 'ab'],
    ['RIS, a reset', `a${ESC}cb`, 'ab'],
    [
      'escape within an escape, which must not fit together anew',
      `${ESC}${ESC}[0m [2J`,
      `${ESC}[0m [2J`,
    ],
    ['OSC within OSC', `a${ESC}]0;x${ESC}]52;c;YQ==${BEL}b`, 'ab'],
    ['C1 OSC', 'a\u009D52;c;YQ==\u009Cb', 'ab'],
    ['C1 DCS', 'a\u0090$qm\u009Cb', 'ab'],
    ['C1 CSI', 'a\u009B2Jb', 'ab'],
    ['C1 SOS, PM and APC', 'a\u0098x\u009Cb\u009Ey\u009Cc\u009Fz\u009Cd', 'abcd'],
    ['DCS with its payload', `a${ESC}Pq#0!9~${ST}b`, 'ab'],
    ['APC with its payload', `a${ESC}_Ga=T;AAAA${ST}b`, 'ab'],
    ['PM with its payload', `a${ESC}^private${ST}b`, 'ab'],
    ['SOS with its payload', `a${ESC}Xstring${ST}b`, 'ab'],
    ['BEL ends OSC only', `a${ESC}Px${BEL}y${ST}b`, 'ab'],
    ['an OSC without end, up to the line feed', `a${ESC}]0;title\nb`, 'a\nb'],
    ['an OSC without end, up to the end', `a${ESC}]0;title`, 'a'],
    ['a DCS without end, up to the line feed', `a${ESC}Pq\nb`, 'a\nb'],
    ['CAN ends a CSI', `a${ESC}[2\u0018Jb`, 'aJb'],
    ['SUB ends an OSC', `a${ESC}]0;x\u001Ab`, 'ab'],
    ['a line feed ends a CSI and stays', `a${ESC}[2\nJb`, 'a\nJb'],
    ['other controls within a CSI are dropped with it', `a${ESC}[2\r\t\u007FJb`, 'ab'],
    ['a CSI ends before what is not ASCII', `a${ESC}[2éb`, 'aéb'],
    ['a character set', `a${ESC}(0lqk${ESC}(B`, 'alqk'],
    ['a final byte of its own', `a${ESC}#8b${ESC}7c${ESC}=d`, 'abcd'],
    ['escape at the end', `a${ESC}`, 'a'],
    ['the first and the last C1 end an OSC', `a${ESC}]0;x\u0080b${ESC}]0;x\u009Fy\u009Cc`, 'abc'],
    ['xterm key settings, which look like colours', `a${ESC}[>4;2mb`, 'ab'],
  ])('%s: %j', ([, text, expected]) => {
    expect(sanitizeTerminalText(text ?? '')).toBe(expected)
  })

  test('an unterminated OSC has at most 4 KiB, another string 64 KiB', () => {
    expect(sanitizeTerminalText(`${ESC}]${'x'.repeat(4096)}shown`)).toBe('shown')
    expect(sanitizeTerminalText(`${ESC}P${'x'.repeat(65_536)}shown`)).toBe('shown')
  })

  test('a string is not cut inside a character', () => {
    for (const character of ['😀', '\u{10000}', '\u{10FFFD}'])
      expect(sanitizeTerminalText(`${ESC}]${'x'.repeat(4095)}${character}shown`)).toBe('shown')
    for (const character of ['\uE000', 'Ａ', '\uD7A3'])
      expect(sanitizeTerminalText(`${ESC}]${'x'.repeat(4096)}${character}`)).toBe(character)
  })

  test('a CSI with ten thousand parameters is dropped completely', () => {
    expect(sanitizeTerminalText(`a${ESC}[${'1;'.repeat(10_000)}mb`)).toBe('ab')
  })
})

describe('controls', () => {
  test.for([
    ['CRLF becomes LF', 'a\r\nb', 'a\nb'],
    ['CR alone is dropped', 'safe\rEVIL', 'safeEVIL'],
    ['BS', 'ab\b\bc', 'abc'],
    ['ENQ, which asks for an answer', 'a\u0005b', 'ab'],
    ['SO and SI', 'a\u000Elqk\u000Fb', 'alqkb'],
    ['VT and FF', 'a\u000Bb\fc', 'abc'],
    ['DEL', 'a\u007Fb', 'ab'],
    ['NUL and BEL', 'a\u0000b\u0007c', 'abc'],
    ['NEL and the other C1', 'a\u0085b\u0080c\u009Cd', 'abcd'],
    ['LF and TAB stay', 'a\n\tb', 'a\n\tb'],
  ])('%s: %j', ([, text, expected]) => {
    expect(sanitizeTerminalText(text ?? '')).toBe(expected)
  })
})

describe('colours', () => {
  test.for([
    ['a colour stays and is closed', `${ESC}[31mred`, `${ESC}[31mred${ESC}[0m`],
    ['a colour that is closed needs no more', `${ESC}[31mred${ESC}[0m`, `${ESC}[31mred${ESC}[0m`],
    [
      'a colour in parts is written as most terminals read it',
      `${ESC}[38:2::1:2:3ma${ESC}[48:5:9mb`,
      `${ESC}[38;2;1;2;3ma${ESC}[48;5;9mb${ESC}[0m`,
    ],
    [
      'parts of the colour of underlines can be no settings of their own',
      `${ESC}[58;5;8ma${ESC}[58;2;8;8;8mb`,
      `${ESC}[58:5:8ma${ESC}[58:2::8:8:8mb${ESC}[0m`,
    ],
    ['a colour that lacks a part', `a${ESC}[38;5mb${ESC}[48;2;1;2mc`, 'abc'],
    ['a transparent colour', `a${ESC}[38:1mb`, 'ab'],
    ['a part that some terminals wrap around', `a${ESC}[38;5;256mb${ESC}[48;2;0;0;300mc`, 'abc'],
    ['another font, which some terminals keep for ever', `a${ESC}[11mb`, 'ab'],
    ['a C1 colour is written with escape', '\u009B1ma', `${ESC}[1ma${ESC}[0m`],
    ['8 of a palette is a colour', `${ESC}[38;5;8ma`, `${ESC}[38;5;8ma${ESC}[0m`],
    ['8 of red, green and blue is a colour', `${ESC}[48;2;8;8;8ma`, `${ESC}[48;2;8;8;8ma${ESC}[0m`],
    ['conceal is dropped', `a${ESC}[8mb`, 'ab'],
    ['conceal among others', `a${ESC}[1;8;31mb`, 'ab'],
    ['conceal with zeros before it', `a${ESC}[008mb`, 'ab'],
    ['conceal after a colour', `a${ESC}[38;5;1;8mb`, 'ab'],
    ['conceal in parts', `a${ESC}[8:1mb`, 'ab'],
    ['8 after a colour of an unknown kind', `a${ESC}[38;9;8mb`, 'ab'],
    ['a number that some terminals wrap around to 8', `a${ESC}[264mb`, 'ab'],
    ['more than 64 characters of parameters', `a${ESC}[${'1;'.repeat(40)}mb`, 'ab'],
  ])('%s: %j', ([, text, expected]) => {
    expect(sanitizeTerminalText(text ?? '')).toBe(expected)
  })

  test.for([
    ['black on black', '30;40', ''],
    ['one after the other', '30|40', '30'],
    ['the other way round', '40|30', '40'],
    ['with other settings between them', '41|1|4|31', '41|1|4'],
    ['by index', '38;5;100;48;5;100', ''],
    ['by red, green and blue', '38;2;1;2;3|48;2;1;2;3', '38;2;1;2;3'],
    ['by name and by index', '31|48;5;1', '31'],
    ['by index and by red, green and blue', '38;5;16|48;2;0;0;0', '38;5;16'],
    ['a grey by index and by red, green and blue', '48;5;232|38;2;8;8;8', '48;5;232'],
    ['by name and by red, green and blue', '37|48;2;229;229;229', '37'],
    ['in parts', '38:5:9|48:2::255:0:0', '38;5;9'],
    ['bright', '97|107', '97'],
    ['bold, which is bright on many terminals', '30|100|1', '30|100'],
    ['bold, before its colours', '1|30;100', '1'],
    ['swapped', '7|31;41', '7'],
    ['behind a reset of one of them', '31|39|41|31', '31|39|41'],
    ['switched on again', '31;41;42|41', '31;41;42'],
    ['not after all', '31;41;42', '31;41;42'],
    ['not bold', '1;22;30;100', '1;22;30;100'],
    ['not after a reset', '31|0|41', '31|0|41'],
    ['the terminal’s own', '39;49|30|0|40', '39;49|30|0|40'],
  ])('that are equal do not hide text: %s, %s', ([, sequence = '', kept]) => {
    const sequences = (all: string): string =>
      all === ''
        ? ''
        : all
            .split('|')
            .map((parameters) => `${ESC}[${parameters}m`)
            .join('')
    expect(sanitizeTerminalText(`${sequences(sequence)}a`).replace(`a${ESC}[0m`, 'a')).toBe(
      `${sequences(kept ?? '')}a`,
    )
  })

  test('are compared anew in the next text', () => {
    const sanitizer = createTerminalSanitizer()
    sanitizer.push(`${ESC}[31ma`)
    sanitizer.finish()
    expect(sanitizer.push(`${ESC}[41mb`)).toBe(`${ESC}[41mb`)
  })

  test('are dropped when stripped', () => {
    expect(sanitizeTerminalText(`${ESC}[31mred${ESC}[0m \u009B1mx`, { colors: 'strip' })).toBe(
      'red x',
    )
  })
})

describe('unusual characters in a body become U+FFFD', () => {
  test.for([
    ['bidirectional overrides and embeddings', '\u202A\u202B\u202C\u202D\u202E'],
    ['bidirectional isolates', '\u2066\u2067\u2068\u2069'],
    ['bidirectional marks', '\u061C\u200E\u200F'],
    ['tag characters', '\u{E0001}\u{E0041}\u{E007F}'],
    ['zero-width space, word joiner, invisible operators', '\u200B\u2060\u2061\u2062\u2063\u2064'],
    ['byte order mark', '\uFEFF'],
    ['Mongolian vowel separator', '\u180E'],
    ['Hangul fillers', '\u115F\u1160\u3164\uFFA0'],
    ['variation selectors 17 to 256', '\u{E0100}\u{E01EF}'],
    ['soft hyphen and combining grapheme joiner', '\u00AD\u034F'],
    ['line and paragraph separators', '\u2028\u2029'],
    ['interlinear annotation', '\uFFF9\uFFFA\uFFFB'],
    ['noncharacters', '\uFFFE\uFDD0\u{1FFFF}'],
    ['lone surrogates', '\uDC00\uD800'],
  ])('%s', ([, characters]) => {
    const replaced = (characters ?? '').replaceAll(/./gsu, '\uFFFD')
    expect(sanitizeTerminalText(`a${characters}b`)).toBe(`a${replaced}b`)
  })

  test.for([
    ['a joined emoji', '👩🏽‍💻'],
    ['a heart on fire', '❤️‍🔥'],
    ['a keycap', '1️⃣'],
    ['text style', '❤︎'],
    ['Persian with a non-joiner', 'می‌خواهم'],
    ['Devanagari with a joiner', 'क्‍ष'],
    ['an accent', 'e\u0301'],
    ['a flag', '🇳🇱'],
    ['a private character', '\uE0B0'],
  ])('but not in %s', ([, text]) => {
    expect(sanitizeTerminalText(text ?? '')).toBe(text)
  })

  test.for([
    ['a joiner between letters', 'a\u200Db', 'a\uFFFDb'],
    ['a joiner at the end', '👩\u200D', '👩\uFFFD'],
    ['a joiner before text', '👩\u200Dtext', '👩\uFFFDtext'],
    ['a non-joiner at a word’s end', 'می\u200C ', 'می\uFFFD '],
    ['two joiners', '👩\u200D\u200D💻', '👩\uFFFD\uFFFD💻'],
    ['emoji style on a letter', 'a\uFE0F', 'a\uFFFD'],
    ['emoji style on a digit', '1\uFE0F2', '1\uFFFD2'],
  ])('and so does %s', ([, text, expected]) => {
    expect(sanitizeTerminalText(text ?? '')).toBe(expected)
  })

  test('the text around a dropped sequence is joined', () => {
    expect(sanitizeTerminalText(`👩\u200D${ESC}[2J💻`)).toBe('👩\u200D💻')
    expect(sanitizeTerminalText(`👩\u200D${ESC}[1m💻`)).toBe(`👩\uFFFD${ESC}[1m💻${ESC}[0m`)
  })
})

describe('createTerminalSanitizer', () => {
  test('waits if the next piece decides', () => {
    const sanitizer = createTerminalSanitizer()
    expect(sanitizer.push('a\uD83D')).toBe('a')
    expect(sanitizer.push('\uDE00\u200D')).toBe('😀')
    expect(sanitizer.push(`b${ESC}[3`)).toBe('\uFFFDb')
    expect(sanitizer.push('1mred')).toBe(`${ESC}[31mred`)
    expect(sanitizer.push(`${ESC}]0;title`)).toBe('')
    expect(sanitizer.finish()).toBe(`${ESC}[0m`)
  })

  test('can be used again after its end', () => {
    const sanitizer = createTerminalSanitizer()
    sanitizer.push(`${ESC}[31m\u200D\uD800${ESC}]`)
    expect(sanitizer.finish()).toBe(`${ESC}[0m`)
    expect(sanitizer.push('text')).toBe('text')
    expect(sanitizer.finish()).toBe('')
  })
})

describe('sanitizeTerminalLine', () => {
  test.for([
    [1999, 'x'.repeat(1999)],
    [2003, `${'x'.repeat(2000)}…(+3)`],
  ] as const)('a longer line keeps as many characters: %i', ([length, sanitized]) => {
    expect(sanitizeTerminalLine('x'.repeat(length), { maxLength: 2000 })).toBe(sanitized)
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

  test('law: is one line without control sequences and invisible characters', () => {
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

  test('law: does not affect the text of a host around it', async () => {
    const oracle = createTerminalOracle()
    await fc.assert(
      fc.asyncProperty(hostileText(), async (text) => {
        expect(await oracle.readEffects(`Run "${sanitizeTerminalLine(text)}"?`)).toEqual([])
      }),
      { numRuns: 300 },
    )
  })

  test('law: is unchanged when it is formatted again', () => {
    fc.assert(
      fc.property(hostileText(12), (text) => {
        const once = sanitizeTerminalLine(text)
        fc.pre(!once.includes('…(+'))
        expect(sanitizeTerminalLine(once)).toBe(once)
      }),
      { numRuns: 1500 },
    )
  })

  test('law: shows every character except spaces, for texts that are not too long', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 20 }), (text) => {
        const sanitized = sanitizeTerminalLine(text)
          .replaceAll('⏎', '\n')
          .replaceAll(/\\u\{([\dA-F]+)\}/g, (_, code: string) =>
            String.fromCodePoint(Number.parseInt(code, 16)),
          )
        expect(sanitized.replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''))
      }),
    )
  })
})

test.for([
  ['a  b', 3, 'a  b'],
  ['a   b', 3, 'a   b'],
  ['a    b', 3, 'a   b'],
  ['a\t \u00A0\u3000b', 3, 'a\t \u00A0b'],
  ['a\u1680\u2000\u200A\u202F\u205F\u2800b', 1, 'a\u1680b'],
  ['a   \n   b', 3, 'a   \nb'],
  ['a\r\nb\rc', 3, 'a\nb\rc'],
  ['a\n\n\nb', 1, 'a\n\n\nb'],
  ['a\n\n\n\n\nb', 1, 'a\n\n\nb'],
  ['  a    b', 2, '  a  b'],
] as const)('%j with %d blanks in a row is %j', ([text, kept, collapsed]) => {
  expect(collapseBlanks(text, kept)).toBe(collapsed)
})
