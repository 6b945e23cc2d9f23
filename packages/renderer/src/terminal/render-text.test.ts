import { describe, expect, test } from 'vitest'
import { createTerminalStyle } from '../compose/terminal-style.ts'
import { cutLine, padLine, getWidest } from './render-text.ts'

const { plain, bold } = createTerminalStyle('ansi')

describe('lines in columns', () => {
  test('wide characters use two columns, colours none', () => {
    expect(getWidest([plain('漢字'), plain('abc'), bold('abc'), plain('👩🏽‍💻')])).toBe(4)
    expect(getWidest([plain('می‌خواهم')])).toBe(7)
  })

  test('a line is filled up at either side', () => {
    expect(padLine(plain('漢'), 5)).toBe('漢   ')
    expect(padLine(plain('漢'), 5, 'right')).toBe('   漢')
    expect(padLine(plain('漢'), 5, 'center')).toBe(' 漢  ')
    expect(padLine(plain('abcdef'), 5)).toBe('abcdef')
  })

  test('a line is cut between characters', () => {
    expect(cutLine(plain('abcdef'), 6)).toBe('abcdef')
    expect(cutLine(plain('abcdef'), 5)).toBe('abcd…')
    expect(cutLine(plain('漢字漢字'), 6)).toBe('漢字…')
  })
})
