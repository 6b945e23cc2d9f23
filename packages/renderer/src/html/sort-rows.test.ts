import { expect, test } from 'vitest'
import { filterRows, sortRows } from './sort-rows.ts'

const sort = (texts: readonly string[], order: 'ascending' | 'descending' = 'ascending'): unknown =>
  sortRows(texts, (text) => text, order)

test.for<[string, readonly string[], readonly string[]]>([
  ['numbers', ['10', '9', '-1', '2.5'], ['-1', '2.5', '9', '10']],
  ['separators', ['1,000', '999'], ['999', '1,000']],
  ['sizes', ['2 MB', '3 KB', '900 bytes', '1 byte'], ['1 byte', '900 bytes', '3 KB', '2 MB']],
  ['per cent', ['20 %', '3 %'], ['3 %', '20 %']],
  ['empty cells between numbers', ['', '2', '', '1'], ['1', '2', '', '']],
  ['words with numbers', ['lamp 10', 'lamp 9', 'Gate'], ['Gate', 'lamp 9', 'lamp 10']],
  ['numbers and words', ['9', '10', 'x'], ['9', '10', 'x']],
])('%s are sorted as a person expects', ([, texts, sorted]) => {
  expect(sort(texts)).toEqual(sorted)
})

test('rows are sorted downwards too, and those with the same cell keep their order', () => {
  expect(sort(['1', '3', '2'], 'descending')).toEqual(['3', '2', '1'])
  const rows = [
    { id: 'a', cell: '1' },
    { id: 'b', cell: '1' },
    { id: 'c', cell: '0' },
  ]
  expect(sortRows(rows, ({ cell }) => cell, 'ascending').map(({ id }) => id)).toEqual([
    'c',
    'a',
    'b',
  ])
})

test('a filter keeps the rows with all of its words, in any case and order', () => {
  const rows = ['Red lamp', 'green lamp', 'red door']
  const filter = (typed: string): readonly string[] => filterRows(rows, (row) => row, typed)
  expect(filter(' LAMP  red ')).toEqual(['Red lamp'])
  expect(filter('re')).toEqual(rows)
  expect(filter(' ')).toEqual(rows)
})
