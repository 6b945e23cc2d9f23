import fc from 'fast-check'
import { describe, expect, expectTypeOf, test } from 'vitest'
import type { TerminalText } from '@toolblocks/protocol'
import { hostileText } from '../sanitize/attack-fragments.suite.ts'
import { sanitizeTerminalText } from '../sanitize/sanitize-terminal-text.ts'
import { indentTerminal, joinTerminal } from './compose-terminal.ts'
import { createTerminalStyle } from './terminal-style.ts'

const ESC = '\u001B'

describe('indentTerminal', () => {
  test('puts two spaces before each line', () => {
    expect(indentTerminal(sanitizeTerminalText('a\n\nb\n'))).toBe('  a\n  \n  b\n  ')
  })

  test('takes another prefix, also a coloured one', () => {
    const { dim } = createTerminalStyle('ansi')
    expect(indentTerminal(sanitizeTerminalText('a\nb'), '> ')).toBe('> a\n> b')
    expect(indentTerminal(sanitizeTerminalText('a'), dim('│ '))).toBe(`${ESC}[2m│ ${ESC}[22ma`)
  })

  test('keeps the prefix out of colours that go over lines', () => {
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

  test('what is opened again stays short, however often colours change', () => {
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

  test('takes plain text only as a separator', () => {
    expect(joinTerminal([plain('a'), plain('b')], `${ESC}[2J · \u202E`)).toBe('a · \uFFFDb')
  })

  test('takes no string that was not sanitized', () => {
    // @ts-expect-error -- a string is no TerminalText
    joinTerminal(['a'])
  })
})
