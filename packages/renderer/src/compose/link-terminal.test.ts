import { describe, expect, test } from 'vitest'
import { linkTerminal } from './link-terminal.ts'
import { createTerminalStyle } from './terminal-style.ts'
import { widthOf } from './width-of.ts'
import { wrapTerminal } from './wrap-terminal.ts'

const { plain } = createTerminalStyle('none')
const END = '\u001B]8;;\u001B\\'

describe('a link', () => {
  test('leads to an address of the web or of mail', () => {
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
  ])('is none to %s', (uri) => expect(linkTerminal(plain('a'), uri)).toBe('a'))

  test('is not left by what its address holds', () => {
    const linked = linkTerminal(plain('a'), 'https://a.b/\u001B]0;title\u0007\u001B\\')
    expect(linked.split('\u001B')).toHaveLength(5)
    expect(linked).not.toContain('\u0007')
  })

  test('takes no column, and ends with its row', () => {
    const linked = linkTerminal(plain('one two'), 'https://a.b/')
    const open = '\u001B]8;;https://a.b/\u001B\\'
    expect(widthOf(linked)).toBe(7)
    expect(wrapTerminal(linked, 5)).toBe(`${open}one${END}\n${open}two${END}`)
  })
})
