import fc from 'fast-check'
import type { TerminalText } from '@toolblocks/protocol'
import { Terminal } from '@xterm/headless'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { hostileText } from '../sanitize/attack-fragments.support.ts'
import { sanitizeTerminalText } from '../sanitize/sanitize-terminal-text.ts'
import type { ShownNode, ShownPart } from '../show/shown-part.ts'
import { writtenPart } from '../terminal/written.support.ts'
import {
  indentTerminal,
  joinTerminal,
  linkTerminal,
  measureWidth,
  wrapTerminal,
} from './compose-terminal.ts'
import { createTerminalStyle } from './terminal-style.ts'

const ESC = '\u001B'

describe('indentTerminal', () => {
  test('puts two spaces before each line', () => {
    expect(indentTerminal(sanitizeTerminalText('a\n\nb\n'))).toBe('  a\n  \n  b\n  ')
  })

  test('accepts another prefix, also a coloured one', () => {
    const { dim } = createTerminalStyle('ansi')
    expect(indentTerminal(sanitizeTerminalText('a\nb'), '> ')).toBe('> a\n> b')
    expect(indentTerminal(sanitizeTerminalText('a'), dim('│ '))).toBe(`${ESC}[2m│ ${ESC}[22ma`)
  })

  test('keeps the prefix outside colours that continue over lines', () => {
    const text = sanitizeTerminalText(`${ESC}[1;31ma\nb${ESC}[22m\nc${ESC}[0m\nd`)
    expect(indentTerminal(text).split('\n')).toEqual([
      `  ${ESC}[1;31ma${ESC}[0m`,
      `  ${ESC}[1;31mb${ESC}[22m${ESC}[0m`,
      `  ${ESC}[31mc${ESC}[0m`,
      '  d',
    ])
  })

  test.for([
    ['a new colour replaces the one before', '31', '38;5;8', '38;5;8'],
    ['foreground and background are two', '31', '44', '31;44'],
    ['a default switches one off', '31;44', '39', '44'],
    ['weight ends with its own code', '1;2;3', '22', '3'],
    ['underline has kinds', '4:3', '58;5;1', '4:3;58:5:1'],
    ['everything ends with 0', '1;31', '0;3', '3'],
  ])('%s', ([, first, second, open]) => {
    const text = sanitizeTerminalText(`${ESC}[${first}ma${ESC}[${second}m\nb`)
    expect(indentTerminal(text).split('\n')[1]).toBe(`  ${ESC}[${open}mb${ESC}[0m`)
  })

  test('the sequence that opens colours again stays short, after any number of changes', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(255), { minLength: 1000, maxLength: 1000 }), (codes) => {
        const text = sanitizeTerminalText(`${codes.map((code) => `${ESC}[${code}m`).join('')}\nb`)
        expect(indentTerminal(text).split('\n')[1]?.length).toBeLessThan(1200)
      }),
      { numRuns: 20 },
    )
  })

  test('closes every line, and changes nothing else', () => {
    fc.assert(
      fc.property(hostileText(), (hostile) => {
        const text = sanitizeTerminalText(hostile)
        const lines = indentTerminal(text, '| ').split('\n')
        for (const line of lines) expect(sanitizeTerminalText(line)).toBe(line)
        const colors = /\u001B\[[\d;:]*m/g // oxlint-disable-line no-control-regex
        expect(lines.map((line) => line.slice(2).replaceAll(colors, '')).join('\n')).toBe(
          text.replaceAll(colors, ''),
        )
      }),
      { numRuns: 1000 },
    )
  })
})

describe('joinTerminal', () => {
  const { plain, red } = createTerminalStyle('ansi')

  test('puts parts one after another', () => {
    expect(joinTerminal([plain('a'), red('b')])).toBe(`a${ESC}[31mb${ESC}[39m`)
    expect(joinTerminal([plain('a'), plain(''), plain('b')], '\n')).toBe('a\n\nb')
    expect(joinTerminal([])).toBe('')
    expectTypeOf(joinTerminal([])).toEqualTypeOf<TerminalText>()
  })

  test('accepts only plain text as a separator', () => {
    expect(joinTerminal([plain('a'), plain('b')], `${ESC}[2J · \u202E`)).toBe('a · \uFFFDb')
  })

  test('accepts no unsanitized string', () => {
    // @ts-expect-error -- a string is no TerminalText
    joinTerminal(['a'])
  })
})

const wrap = (text: string, columns: number, hang?: string): string =>
  wrapTerminal(sanitizeTerminalText(text), columns, hang)

describe('wrapTerminal', () => {
  test('changes nothing if nothing was cut', () => {
    expect(wrap('a\tb  c ', Infinity)).toBe('a\tb  c ')
  })

  test('breaks between words, and does not change a line that fits', () => {
    expect(wrap('one two three\nfour', 8)).toBe('one two\nthree\nfour')
    expect(wrap('one  two', 8)).toBe('one  two')
  })

  test('breaks a word only if it is wider than a line', () => {
    expect(wrap('see abcdefghij k', 6)).toBe('see ab\ncdefgh\nij k')
    expect(wrap('abcdef ghijkl', 6)).toBe('abcdef\nghijkl')
  })

  test('a word that stays whole is a row of its own, also if it has colours', () => {
    const isWhole = (word: string): boolean => word.startsWith('https:')
    const wrapWhole = (text: string): string =>
      wrapTerminal(sanitizeTerminalText(text), 8, '', isWhole)
    expect(wrapWhole('see https://x.example/y and abcdefghij')).toBe(
      'see\nhttps://x.example/y\nand abcd\nefghij',
    )
    const coloured = `${ESC}[1mhttps://x.example/y${ESC}[0m`
    expect(wrapWhole(`a ${coloured}`)).toBe(`a\n${coloured}`)
    expect(wrapWhole('https://x.example/y')).toBe('https://x.example/y')
  })

  test('further rows have the indent of their line, and the hanging indent', () => {
    expect(wrap('  one two three', 8)).toBe('  one\n  two\n  three')
    expect(wrap('+one two three', 8, ' ')).toBe('+one two\n three')
  })

  test('an indent that leaves no space is dropped', () => {
    expect(wrap(`${' '.repeat(50)}one two`, 8)).toBe('one two')
    expect(wrap(' 日', 2)).toBe('日')
  })

  test('wide characters use two columns, marks and joined emoji stay together', () => {
    expect(wrap('日本語日本', 6)).toBe('日本語\n日本')
    expect(wrap('👩‍👩‍👧👩‍👩‍👧', 2)).toBe('👩‍👩‍👧\n👩‍👩‍👧')
    expect(wrap('e\u0301e\u0301e\u0301', 2)).toBe('e\u0301e\u0301\ne\u0301')
  })

  test('tabs become the spaces a terminal would show', () => {
    expect(wrap('a\tb', 20)).toBe('a       b')
  })

  test('a colour uses no column and is never broken', () => {
    expect(wrap('\u001B[31mone two\u001B[0m', 5)).toBe('\u001B[31mone\ntwo\u001B[0m')
    expect(wrap('\u001B[58;5;8mab', 2)).toBe('\u001B[58:5:8mab\u001B[0m')
    expect(wrap('\u001B[38;2;1;2;3mabcdef', 3)).toBe('\u001B[38;2;1;2;3mabc\ndef\u001B[0m')
  })

  test('law: no row is wider than the limit, for any text, and only blanks are lost', () => {
    fc.assert(
      fc.property(hostileText(), fc.integer({ min: 2, max: 50 }), (text, columns) => {
        const safe = sanitizeTerminalText(text)
        const wrapped = wrapTerminal(safe, columns)
        for (const row of wrapped.split('\n'))
          expect(measureWidth(row)).toBeLessThanOrEqual(columns)
        const ink = (output: string): string => output.replaceAll(/[ \t\n]/g, '')
        expect(ink(wrapped)).toBe(ink(safe))
      }),
    )
  })

  test('law: wrapped text has the same number of rows in a terminal of that width', async () => {
    const wrapped = wrap('\u001B[1mThe lamp\u001B[0m 日本語 blinks twice as fast as before', 20)
    const terminal = new Terminal({ cols: 20, rows: 24, allowProposedApi: true, convertEol: true })
    await new Promise<void>((done) => terminal.write(wrapped, done))
    expect(terminal.buffer.active.cursorY + 1).toBe(wrapped.split('\n').length)
    terminal.dispose()
  })
})

const { plain } = createTerminalStyle('none')

const END = '\u001B]8;;\u001B\\'

describe('a link', () => {
  test('points to an address of the web or of mail', () => {
    expect(linkTerminal(plain('a'), 'https://example.com/ä b')).toBe(
      `\u001B]8;;https://example.com/%C3%A4%20b\u001B\\a${END}`,
    )
    expect(linkTerminal(plain('a'), 'mailto:a@b.c')).toBe(`\u001B]8;;mailto:a@b.c\u001B\\a${END}`)
  })

  test.for([
    'javascript:alert(1)',
    'file:///etc/passwd',
    'x',
    '',
    `https://a.b/${'c'.repeat(2000)}`,
    `https://a.b/${'ä'.repeat(500)}`,
    'mailto:a b@c.d',
  ])('is not written for %s', (uri) => expect(linkTerminal(plain('a'), uri)).toBe('a'))

  test('is not ended by characters of its address', () => {
    const linked = linkTerminal(plain('a'), 'https://a.b/\u001B]0;title\u0007\u001B\\')
    expect(linked.split('\u001B')).toHaveLength(5)
    expect(linked).not.toContain('\u0007')
  })

  test('uses no column, and ends with its row', () => {
    const linked = linkTerminal(plain('one two'), 'https://a.b/')
    const open = '\u001B]8;;https://a.b/\u001B\\'
    expect(measureWidth(linked)).toBe(7)
    expect(wrapTerminal(linked, 5)).toBe(`${open}one${END}\n${open}two${END}`)
  })
})

const uncut = { first: 'a', left: 0, last: '' }

const nodes = (...inner: ShownNode[]): Pick<ShownNode, 'nodes' | 'left'> => ({
  nodes: inner,
  left: 0,
})

describe('in twenty columns', () => {
  const sentence = 'one two three four five'
  const named = { kind: 'facts', name: sentence, facts: [] } as const
  test.for<[string, ShownPart, readonly string[]]>([
    ['a heading', { kind: 'heading', text: sentence }, ['one two three four', 'five']],
    ['a name', named, ['one two three four', '  five']],
    ['text', { kind: 'text', ...uncut, first: sentence }, ['one two three four', 'five']],
    ['code', { kind: 'code', ...uncut, first: sentence }, ['│ one two three four', '│ five']],
    [
      'a diff',
      { kind: 'diff', first: [{ change: 'added', text: sentence, after: 10 }], left: 0, last: [] },
      ['│    10 +one two', '│        three four', '│        five'],
    ],
    [
      'a tree',
      {
        kind: 'tree',
        top: {
          type: 'object',
          text: '',
          ...nodes(
            { key: 'a', type: 'string', text: sentence, ...nodes() },
            { key: 'b', type: 'string', text: sentence, ...nodes() },
          ),
        },
      },
      ['├ a: one two three', '│   four five', '└ b: one two three', '    four five'],
    ],
    [
      'entries',
      { kind: 'entries', entries: [{ name: sentence }], left: 0 },
      ['  one two three four', '    five'],
    ],
    [
      'entries whose names take half of them',
      {
        kind: 'entries',
        entries: [
          { name: 'a'.repeat(12), size: 1 },
          { name: 'b', size: 1 },
        ],
        left: 0,
      },
      ['  aaaaaaaaaaaa  1', '    byte', '  b           1 byte'],
    ],
    [
      'a question',
      {
        kind: 'question',
        id: 'q',
        isLine: true,
        ...uncut,
        first: sentence,
        url: 'https://a.example/b',
      },
      ['? one two three four', '  five (q)', '  answered at https:', '    //a.example/b'],
    ],
    [
      'an argument',
      { kind: 'argument', name: 'a', text: sentence },
      ['a: one two three', '  four five'],
    ],
    [
      'an argument of several lines',
      { kind: 'argument', name: sentence, text: `${sentence}\n` },
      ['one two three four', 'five:', '│ one two three four', '│ five'],
    ],
    ['words of the renderer', { kind: 'notice', text: sentence }, ['one two three four', 'five']],
    [
      'a failure',
      { kind: 'failure', text: sentence, transient: false },
      ['✗ one two three four', '  five'],
    ],
    [
      'a cause',
      { kind: 'cause', ...uncut, first: 'one two three' },
      ['caused by: one two', '           three'],
    ],
    [
      'a warning',
      { kind: 'warning', path: '', message: sentence, facts: [] },
      ['! one two three four', '  five'],
    ],
    [
      'standard error by its lines',
      { kind: 'stderr', lines: 12 },
      ['(12 lines on', 'standard error)'],
    ],
    [
      'standard error',
      { kind: 'stderr', lines: 12, text: { ...uncut, first: sentence } },
      ['12 lines on standard', 'error:', '│ one two three four', '│ five'],
    ],
    [
      'a fold',
      { kind: 'fold', summary: sentence, parts: [] },
      ['▸ one two three four', '  five (folded, as', '  the tool asks)'],
    ],
  ])('%s wraps, and its further rows are below it', ([, part, rows]) => {
    const rendered = writtenPart(part, { columns: 20 }).split('\n')
    expect(rendered).toEqual(rows)
    for (const row of rendered) expect(measureWidth(row)).toBeLessThanOrEqual(20)
  })

  test('a width below eight counts as eight', () => {
    expect(writtenPart(named, { columns: 3 })).toBe(writtenPart(named, { columns: 8 }))
    expect(writtenPart(named, { columns: 8 })).not.toBe(writtenPart(named, { columns: 20 }))
  })

  test('the note about omitted lines uses as many rows as it needs', () => {
    const options = { columns: 20, hints: { cut: 'shown with --all' } }
    expect(writtenPart({ kind: 'left', count: 1, unit: 'row' }, options)).toBe(
      '… 1 more row (shown\nwith --all)',
    )
  })
})

describe('a name of an entry', () => {
  const sizeAt = (name: string): number =>
    writtenPart({
      kind: 'entries',
      entries: [
        { name, size: 1 },
        { name: 'b', size: 1 },
      ],
      left: 0,
    })
      .split('\n')[1]
      ?.indexOf('1 byte') ?? -1

  test('moves the sizes of other entries up to forty columns', () => {
    expect(sizeAt('a'.repeat(39))).toBe(2 + 39 + 2)
    expect(sizeAt('a'.repeat(40))).toBe(2 + 40 + 2)
    expect(sizeAt('a'.repeat(41))).toBe(2 + 40 + 2)
  })
})
