import { expect, test } from 'vitest'
import { fenceText } from './fence-text.ts'

test('a fence is longer than any run of backticks in the text', () => {
  expect(fenceText('a')).toBe('```\na\n```')
  expect(fenceText('a ```` b ``` c')).toBe('`````\na ```` b ``` c\n`````')
  const long = '`'.repeat(100)
  expect(fenceText(long)).toBe(`${long}\`\n${long}\n${long}\``)
})

test('a line feed at the end is not doubled, and nothing has no line', () => {
  expect(fenceText('a\n')).toBe('```\na\n```')
  expect(fenceText('')).toBe('```\n```')
})

test('a tag is one plain word or none', () => {
  expect(fenceText('a', 'c++')).toBe('```c++\na\n```')
  for (const tag of ['a b', 'a`', 'a\n', 'x'.repeat(33)])
    expect(fenceText('a', tag)).toBe('```\na\n```')
})
