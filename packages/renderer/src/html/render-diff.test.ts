import { expect, test } from 'vitest'
import type { ShownChange } from '../show/shown-part.ts'
import { renderHtmlPart as renderPart } from './html-writer.ts'

const makeDiff = (
  diffs: 'unified' | 'split',
  first: readonly ShownChange[],
  more: { left: number; last: readonly ShownChange[] } = { left: 0, last: [] },
): string =>
  renderPart({ kind: 'diff', first, ...more }, { diffs, media: 'inline', tallText: 'scroll' })

/** The rows of a table of lines. */
const makeTable = (name: string, rows: readonly string[]): string =>
  `<table class="tb-diff ${name}"><tbody>${rows.map((row) => `<tr${row}</tr>`).join('')}</tbody></table>`
const framed = (diffs: string, inner: string): string =>
  `<tb-diff data-view="${diffs}"><div class="tb-scroll tb-high-40" role="region" aria-label="Changes" tabindex="0">${inner}</div></tb-diff>`

const changes: readonly ShownChange[] = [
  { change: 'hunk', text: '@@' },
  { change: 'kept', text: 'k', before: 1, after: 1 },
  { change: 'removed', text: 'abc', before: 2, marks: [[1, 2]] },
  {
    change: 'added',
    text: 'xbz',
    after: 2,
    marks: [
      [0, 1],
      [2, 3],
    ],
  },
  { change: 'note', text: 'n' },
]
const more = { left: 3, last: [{ change: 'added', text: 'z', after: 9 }] } as const
const cell = (number: number | ''): string => `<td class="tb-number">${number}</td>`

test('lines are below each other, with their numbers, their sign and the parts that differ', () => {
  const line = (sign: string, text: string): string =>
    `<td class="tb-sign">${sign}</td><td class="tb-line">${text}</td>`
  expect(makeDiff('unified', changes, more)).toBe(
    framed(
      'unified',
      makeTable('tb-unified', [
        ' class="tb-hunk"><td colspan="4">@@</td>',
        ` class="tb-kept">${cell(1)}${cell(1)}${line(' ', 'k')}`,
        ` class="tb-removed">${cell(2)}${cell('')}${line('-', 'a<del>b</del>c')}`,
        ` class="tb-added">${cell('')}${cell(2)}${line('+', '<ins>x</ins>b<ins>z</ins>')}`,
        ' class="tb-note"><td colspan="4">n</td>',
      ]) +
        '<p class="tb-left">… 3 more lines</p>' +
        makeTable('tb-unified', [` class="tb-added">${cell('')}${cell(9)}${line('+', 'z')}`]),
    ),
  )
})

const side = (number: number, change: string, text: string): string =>
  `${cell(number)}<td class="tb-line tb-${change}">${text}</td>`
const none = `${cell('')}<td class="tb-line tb-none"></td>`

test('or the two sides are beside each other: removed lines beside the lines that replace them', () => {
  expect(makeDiff('split', changes, more)).toBe(
    framed(
      'split',
      makeTable('tb-split', [
        ' class="tb-hunk"><td colspan="4">@@</td>',
        `>${side(1, 'kept', 'k')}${side(1, 'kept', 'k')}`,
        `>${side(2, 'removed', 'a<del>b</del>c')}${side(2, 'added', '<ins>x</ins>b<ins>z</ins>')}`,
        ' class="tb-note"><td colspan="4">n</td>',
      ]) +
        '<p class="tb-left">… 3 more lines</p>' +
        makeTable('tb-split', [`>${none}${side(9, 'added', 'z')}`]),
    ),
  )
})

test('a shorter side has empty rows, and a later removal begins a new row', () => {
  const uneven: readonly ShownChange[] = [
    { change: 'removed', text: 'a', before: 1 },
    { change: 'added', text: 'b', after: 1 },
    { change: 'added', text: 'c', after: 2 },
    { change: 'removed', text: 'd', before: 2 },
    { change: 'kept', text: 'e', before: 3, after: 3 },
  ]
  expect(makeDiff('split', uneven)).toBe(
    framed(
      'split',
      makeTable('tb-split', [
        `>${side(1, 'removed', 'a')}${side(1, 'added', 'b')}`,
        `>${none}${side(2, 'added', 'c')}`,
        `>${side(2, 'removed', 'd')}${none}`,
        `>${side(3, 'kept', 'e')}${side(3, 'kept', 'e')}`,
      ]),
    ),
  )
})
