import { styleText } from 'node:util'
import { describe, expect, test } from 'vitest'
import { sanitizeTerminalLine } from '../sanitize/sanitize-terminal-text.ts'
import { createTerminalStyle, paint } from './terminal-style.ts'

const ESC = '\u001B'

describe('createTerminalStyle', () => {
  test('writes colours that end with the text', () => {
    const { bold, dim, red, green, yellow, cyan, plain } = createTerminalStyle('ansi')
    expect([bold('a'), dim('a'), red('a'), green('a'), yellow('a'), cyan('a'), plain('a')]).toEqual(
      [
        `${ESC}[1ma${ESC}[22m`,
        `${ESC}[2ma${ESC}[22m`,
        `${ESC}[31ma${ESC}[39m`,
        `${ESC}[32ma${ESC}[39m`,
        `${ESC}[33ma${ESC}[39m`,
        `${ESC}[36ma${ESC}[39m`,
        'a',
      ],
    )
  })

  test('writes no sequence without a style, and none around empty text', () => {
    const { bold, red } = createTerminalStyle('none')
    expect([bold('a'), red('a')]).toEqual(['a', 'a'])
    expect(createTerminalStyle('ansi').red('')).toBe('')
  })

  test('does not ask the environment', () => {
    const before = process.env['NO_COLOR']
    process.env['NO_COLOR'] = '1'
    expect(createTerminalStyle('ansi').red('a')).toBe(`${ESC}[31ma${ESC}[39m`)
    if (before === undefined) delete process.env['NO_COLOR']
    else process.env['NO_COLOR'] = before
  })

  test('a text cannot end its colour early', () => {
    expect(createTerminalStyle('ansi').red(`a${ESC}[0m\nb`)).toBe(
      `${ESC}[31ma\\u{1B}[0m⏎b${ESC}[39m`,
    )
  })
})

test.for([
  'bold',
  'dim',
  'italic',
  'underline',
  'inverse',
  'strikethrough',
  'red',
  'green',
  'yellow',
  'blue',
  'magenta',
  'cyan',
] as const)('%s is written like Node.js writes it', (style) => {
  const text = sanitizeTerminalLine('a')
  expect(paint(text, style, 'ansi')).toBe(styleText(style, 'a', { validateStream: false }))
})
