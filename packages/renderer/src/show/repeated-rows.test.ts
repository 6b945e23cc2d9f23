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
  'Ann Mary 3\nbob -4.5 in dock',
  'Name of ship  age  note\nAnn Mary      3\nbob           -4.5 in dock\n',
  '| name | age | note |\n| --- | ---: | --- |\n| **Ann Mary** | 3 | |\n| bob | -4.5 | in dock |',
  'name,age,note\n"Ann Mary",3,\nbob,-4.5,in dock',
  '┌──────────┬───┐\n│ Ann Mary │ 3 │\n│ bob │ -4.5 │ in dock │',
])('a text that draws the table is not shown beside it: %j', (text) => {
  expect(isRepeated(text)).toBe(true)
})

test.for([
  '2 ships\nAnn Mary 3\nbob -4.5 in dock',
  'Ann Mary 3\nbob -4.5 in dock\nmore ships are out',
  'bob',
  'bob -4.5 in dock\nAnn Mary 3',
  'Ann Mary 3',
  'name age note',
  '',
])('a text that says something else, or less, is shown: %j', (text) => {
  expect(isRepeated(text)).toBe(false)
})

test('a person reads the rows once, and each other block', () => {
  const text = (content: string): ContentBlock => ({ type: 'text', text: content })
  const { answer } = showResult({
    content: [text('2 ships'), text('Ann Mary 3\nbob -4.5 in dock')],
    structuredContent: TABLE,
    isError: false,
  })
  expect(answer.map(({ kind }) => kind)).toEqual(['text', 'group'])
})

test('law: a text with a further word is shown', () => {
  const word = fc.stringMatching(/^[a-z\d]{1,8}$/)
  const rows = fc.array(fc.record({ a: word, b: word }), { minLength: 1 })
  fc.assert(
    fc.property(rows, word, fc.nat(), (each, further, position) => {
      const columns = [{ key: 'a' }, { key: 'b' }]
      const table: TableValue = { kind: 'table', data: { columns, rows: each } }
      const cells = each.flatMap(({ a, b }) => [a, b])
      expect(isRepeated(cells.join(' '), table)).toBe(true)
      cells.splice(position % (cells.length + 1), 0, further)
      // The headings may stand before the rows.
      fc.pre(!(cells[0] === 'a' && cells[1] === 'b'))
      expect(isRepeated(cells.join(' '), table)).toBe(false)
    }),
  )
})
