import { Terminal } from '@xterm/headless'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hostileText } from '../sanitize/attack-fragments.suite.ts'
import { sanitizeTerminalText } from '../sanitize/sanitize-terminal-text.ts'
import { widthOf } from './width-of.ts'
import { wrapTerminal } from './wrap-terminal.ts'

const wrap = (text: string, columns: number, hang?: string): string =>
  wrapTerminal(sanitizeTerminalText(text), columns, hang)

describe('wrapTerminal', () => {
  test('changes nothing where there is no end', () => {
    expect(wrap('a\tb  c ', Infinity)).toBe('a\tb  c ')
  })

  test('breaks between words, and leaves what fits', () => {
    expect(wrap('one two three\nfour', 8)).toBe('one two\nthree\nfour')
    expect(wrap('one  two', 8)).toBe('one  two')
  })

  test('breaks a word only where it is wider than a line', () => {
    expect(wrap('see abcdefghij k', 6)).toBe('see ab\ncdefgh\nij k')
    expect(wrap('abcdef ghijkl', 6)).toBe('abcdef\nghijkl')
  })

  test('further rows stand as deep as their line, behind the hang', () => {
    expect(wrap('  one two three', 8)).toBe('  one\n  two\n  three')
    expect(wrap('+one two three', 8, ' ')).toBe('+one two\n three')
  })

  test('an indent that leaves no room is given up', () => {
    expect(wrap(`${' '.repeat(50)}one two`, 8)).toBe('one two')
    expect(wrap(' 日', 2)).toBe('日')
  })

  test('wide characters take two columns, marks and joined emoji stay together', () => {
    expect(wrap('日本語日本', 6)).toBe('日本語\n日本')
    expect(wrap('👩‍👩‍👧👩‍👩‍👧', 2)).toBe('👩‍👩‍👧\n👩‍👩‍👧')
    expect(wrap('e\u0301e\u0301e\u0301', 2)).toBe('e\u0301e\u0301\ne\u0301')
  })

  test('tabs become the spaces a terminal would show', () => {
    expect(wrap('a\tb', 20)).toBe('a       b')
  })

  test('a colour takes no room and is never broken', () => {
    expect(wrap('\u001B[31mone two\u001B[0m', 5)).toBe('\u001B[31mone\ntwo\u001B[0m')
    expect(wrap('\u001B[58;5;8mab', 2)).toBe('\u001B[58:5:8mab\u001B[0m')
    expect(wrap('\u001B[38;2;1;2;3mabcdef', 3)).toBe('\u001B[38;2;1;2;3mabc\ndef\u001B[0m')
  })

  test('no row is wider than asked for, whatever the text, and only blanks are lost', () => {
    fc.assert(
      fc.property(hostileText(), fc.integer({ min: 2, max: 50 }), (text, columns) => {
        const safe = sanitizeTerminalText(text)
        const wrapped = wrapTerminal(safe, columns)
        for (const row of wrapped.split('\n')) expect(widthOf(row)).toBeLessThanOrEqual(columns)
        const ink = (shown: string): string => shown.replaceAll(/[ \t\n]/g, '')
        expect(ink(wrapped)).toBe(ink(safe))
      }),
    )
  })

  test('what fits stands in as many rows on a terminal of that width', async () => {
    const wrapped = wrap('\u001B[1mThe lamp\u001B[0m 日本語 blinks twice as fast as before', 20)
    const terminal = new Terminal({ cols: 20, rows: 24, allowProposedApi: true, convertEol: true })
    await new Promise<void>((done) => terminal.write(wrapped, done))
    expect(terminal.buffer.active.cursorY + 1).toBe(wrapped.split('\n').length)
    terminal.dispose()
  })
})
