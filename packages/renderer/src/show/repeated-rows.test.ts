import type { ContentBlock, TableValue } from '@toolblocks/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findBlocksWithRows } from './repeated-rows.ts'
import { showResult } from './show-result.ts'

const TABLE: TableValue = {
  kind: 'table',
  data: {
    columns: [{ key: 'name', label: 'Name of ship' }, { key: 'age' }, { key: 'note' }],
    rows: [
      { name: 'Ann Mary', age: 3, note: null },
      { name: 'bob', age: -4.5, note: 'in dock' },
    ],
  },
}

const isRepeated = (text: string, table = TABLE): boolean =>
  findBlocksWithRows([{ type: 'text', text }], table).size === 1

test.for([
  'Ann Mary  3\nbob  -4.5  in dock',
  'Name of ship  age   note\nAnn Mary      3\nbob           -4.5  in dock\n',
  '| name | age | note |\n| --- | ---: | --- |\n| Ann Mary | 3 | |\n| bob | -4.5 | in dock |',
  'name,age,note\r\nAnn Mary,3,\r\nbob,-4.5,in dock\r\n',
  'Ann Mary\t3\t\nbob\t-4.5\tin dock',
  '┌──────────┬──────┬─────────┐\n│ Ann Mary │ 3    │         │\n│ bob      │ -4.5 │ in dock │\n└──────────┴──────┴─────────┘',
])('a text that draws the table is not shown beside it: %j', (text) => {
  expect(isRepeated(text)).toBe(true)
})

test.for([
  '2 ships\nAnn Mary  3\nbob  -4.5  in dock',
  'Ann Mary  3\nbob  -4.5  in dock\nmore ships are out',
  'bob',
  'bob  -4.5  in dock\nAnn Mary  3',
  'Ann Mary  3',
  'name  age  note',
  'Ann Mary  -3\nbob  -4.5  in dock',
  'Ann Mary  +3\nbob  -4.5  in dock',
  'Ann Mary  3\nbob  4.5  in dock',
  'ann mary  3\nbob  -4.5  in dock',
  'Ann_Mary  3\nbob  -4.5  in dock',
  'Ann Mary,,3\nbob,-4.5,in dock',
  'Ann Mary  3  -\nbob  -4.5  in dock',
  'Ann Mary  3  bob  -4.5  in dock',
  '',
  '---',
])('a text that says something else, or less, is shown: %j', (text) => {
  expect(isRepeated(text)).toBe(false)
})

test('in a line of blanks, nobody sees which cell before another one is empty', () => {
  const [first, second] = TABLE.data.rows
  const rows = [{ ...first, age: null, note: '3' }, ...(second ? [second] : [])]
  const table = { ...TABLE, data: { ...TABLE.data, rows } }
  expect(isRepeated('Ann Mary  3\nbob  -4.5  in dock', table)).toBe(false)
  expect(isRepeated('Ann Mary,,3\nbob,-4.5,in dock', table)).toBe(true)
})

test('a text beside a table that is cut is shown', () => {
  const rows = Array.from({ length: 60 }, (_, index) => ({ a: `host${index}` }))
  const table: TableValue = { kind: 'table', data: { columns: [{ key: 'a' }], rows } }
  expect(isRepeated(rows.map(({ a }) => a).join('\n'), table)).toBe(false)
  const names = Array.from({ length: 40 }, (_, index) => `c${index}`)
  const data = {
    columns: names.map((key) => ({ key })),
    rows: [Object.fromEntries(names.map((name) => [name, name]))],
  }
  expect(isRepeated(names.join(','), { kind: 'table', data })).toBe(false)
})

test('a person reads the rows once, and each other block', () => {
  const text = (content: string): ContentBlock => ({ type: 'text', text: content })
  const { answer } = showResult({
    content: [text('2 ships'), text('Ann Mary  3\nbob  -4.5  in dock')],
    structuredContent: TABLE,
    isError: false,
  })
  expect(answer.map(({ kind }) => kind)).toEqual(['text', 'group'])
})

test('a long line beside a table, or in it, is shown', () => {
  const line = '─'.repeat(5_000_000)
  for (const [text, cell] of [
    [line, 'a'],
    ['a', line],
  ] as const) {
    const data = { columns: [{ key: 'a' }], rows: [{ a: cell }] }
    expect(isRepeated(text, { kind: 'table', data })).toBe(false)
  }
})

test('law: a text with another cell is shown', () => {
  const cell = fc.stringMatching(/^[a-z\d+=.-]{1,8}$/)
  const rows = fc.array(fc.record({ a: cell, b: cell }), { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(rows, cell, fc.nat(), (each, other, position) => {
      const columns = [{ key: 'a' }, { key: 'b' }]
      const table: TableValue = { kind: 'table', data: { columns, rows: each } }
      const lines = each.map(({ a, b }) => `${a}  ${b}`)
      fc.pre(lines.every((line) => !/^[\s:+=-]*$/.test(line)))
      expect(isRepeated(lines.join('\n'), table)).toBe(true)
      const index = position % each.length
      fc.pre(each[index]?.b !== other)
      lines[index] = `${each[index]?.a}  ${other}`
      expect(isRepeated(lines.join('\n'), table)).toBe(false)
    }),
  )
})
