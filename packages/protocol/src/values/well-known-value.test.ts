import { describe, expect, test } from 'vitest'
import { type WellKnownKind, hasShapeOf } from './well-known-value.ts'

type Fields = Readonly<Record<string, unknown>>

/** Each row: a kind with a part of its data in full, the optional fields of the part, and its path in the data. */
type Row = readonly [
  name: string,
  whole: Fields,
  optional: readonly string[],
  kind: WellKnownKind,
  within?: (part: unknown) => unknown,
]

const hunk = { oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ['-a', '+b'] }
const diff = { path: 'a', original: 'a', modified: 'b', isNew: false, hunks: [hunk] }
const entry = { name: 'a', type: 'file', size: 1, modified: '2026-01-01' }
const column = { key: 'n', label: 'N', type: 'number', align: 'right' }

const rows: readonly Row[] = [
  ['text', { content: 'a' }, [], 'text'],
  ['diff', { ...diff, bytesWritten: 2 }, ['original', 'hunks', 'bytesWritten'], 'diff'],
  ['hunk', hunk, [], 'diff', (part) => ({ ...diff, hunks: [hunk, part] })],
  ['file', { path: 'a', content: 'a', size: 1, encoding: 'utf-8' }, ['encoding'], 'file_content'],
  ['list', { path: '.', entries: [entry], truncated: true }, ['truncated'], 'file_list'],
  [
    'entry of a list',
    entry,
    ['type', 'size', 'modified'],
    'file_list',
    (part) => ({ path: '.', entries: [entry, part] }),
  ],
  ['table', { columns: [column], rows: [{ n: 1 }] }, [], 'table'],
  [
    'column of a table',
    column,
    ['label', 'type', 'align'],
    'table',
    (part) => ({ columns: [column, part], rows: [] }),
  ],
  ['image', { url: 'x:1', base64: 'QQ==', alt: 'a' }, ['url', 'base64', 'alt'], 'image'],
]

describe.for(rows)('%s', ([, whole, optional, kind, within = (part) => part]) => {
  const fits = (part: unknown): boolean => hasShapeOf(kind, within(part))

  test('has the complete shape, and is an object', () => {
    expect(fits(whole)).toBe(true)
    for (const other of [null, undefined, 'a', [whole]]) expect(fits(other)).toBe(false)
  })

  test.for(Object.keys(whole))('%s has its type if it is given', (name) => {
    for (const wrong of [undefined, null, -1, 0.5, 'odd', {}, [null], Symbol('odd')]) {
      const isRight = typeof wrong === 'string' && isAnyText(name, whole)
      expect([wrong, fits({ ...whole, [name]: wrong })]).toEqual([wrong, isRight])
    }
  })

  test.for(Object.keys(whole))('%s may be absent only if it is optional', (name) => {
    const { [name]: _absent, ...rest } = whole
    expect(fits(rest)).toBe(optional.includes(name))
  })
})

/** Whether a field accepts any text. */
function isAnyText(name: string, whole: Fields): boolean {
  return typeof whole[name] === 'string' && name !== 'type' && name !== 'align'
}

test('an image has a url or base64', () => {
  expect(hasShapeOf('image', { alt: 'a' })).toBe(false)
  expect(hasShapeOf('image', Object.create({ url: 'x:1' }))).toBe(false)
})

test('structured data is any value', () => {
  for (const data of [null, undefined, 1, [], {}]) expect(hasShapeOf('structured', data)).toBe(true)
})
