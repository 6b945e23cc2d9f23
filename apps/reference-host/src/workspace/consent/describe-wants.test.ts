import { createTerminalStyle } from '@toolblocks/renderer'
import { expect, test } from 'vitest'
import type { Effect } from './want-line.ts'
import type { Want } from './wants.ts'
import { describeWants } from './describe-wants.ts'

const style = createTerminalStyle('none')
const entry = (effect: Effect, text: string): Want => ({
  part: 'store',
  effect,
  text,
  hash: text,
})

test('entries are in groups, each complete on its own line, and no part can be hidden', () => {
  const long = 'x'.repeat(3000)
  const entries = [
    entry('writes', long),
    entry('starts', 'a\nb\u202E'),
    entry('starts', 'c'),
    entry('starts', 'c'),
  ]
  expect(describeWants('/w\u001B[2J wants to', entries, { style, columns: Infinity })).toBe(
    `/w\\u{1B}[2J wants to\n  start programs\n    a⏎b\\u{202E}\n    c\n  write\n    ${long}`,
  )
})

test('a long entry wraps with an indent', () => {
  expect(
    describeWants('/w', [entry('sends', 'one two three four five')], { style, columns: 20 }),
  ).toBe('/w\n  send\n    one two three\n      four five')
})

test('every effect has a heading', () => {
  const all: readonly Effect[] = ['starts', 'reaches', 'reads', 'sends', 'writes', 'loosens']
  const text = describeWants(
    '/w',
    all.map((effect) => entry(effect, 'x')),
    { style, columns: 80 },
  )
  expect(text.split('\n').filter((line) => /^ {2}\S/.test(line))).toEqual([
    '  start programs',
    '  reach servers',
    '  read your variables',
    '  send',
    '  write',
    '  act without asking you',
  ])
})
