import { describe, expect, test } from 'vitest'
import type { ShowOptions } from './show-context.ts'
import { showResult } from './show-result.ts'
import { dateText, fieldText } from './show-table.ts'
import { textIn } from './read-value.ts'

const show = (value: object, options: ShowOptions = {}): unknown => {
  const result = { content: [], isError: false, structuredContent: value }
  const [group] = showResult(result, { root: '/w', ...options }).answer
  return group?.kind === 'group' && group.parts.at(-1)
}

const left = { rows: 0, columns: 0 }

describe('a table', () => {
  test('has the labels, alignment and types of its columns, and its fields in their order', () => {
    const columns = [
      { key: 'a', label: 'A' },
      { key: 'n', type: 'number' },
      { key: 'c', type: 'number', align: 'center' },
      { key: 'd', type: 'date' },
    ]
    const rows = [{ a: null, n: 1, c: 2, d: 0 }, {}]
    expect(show({ kind: 'table', data: { columns, rows } })).toStrictEqual({
      kind: 'table',
      columns: [
        { label: 'A', align: 'left' },
        { label: 'n', align: 'right', type: 'number' },
        { label: 'c', align: 'center', type: 'number' },
        { label: 'd', align: 'left', type: 'date' },
      ],
      rows: [
        ['', '1', '2', '1970-01-01 00:00 UTC'],
        ['', '', '', ''],
      ],
      left,
    })
  })

  test('a hint has priority over the column for the type of a field', () => {
    const data = { columns: [{ key: 'a', type: 'number' }], rows: [{ a: 0 }] }
    const display = { fieldTypes: { a: 'date', toString: 'path' } }
    expect(show({ kind: 'table', data, display })).toMatchObject({
      columns: [{ align: 'left', type: 'date' }],
      rows: [['1970-01-01 00:00 UTC']],
    })
  })

  test('has thirty columns, unless nothing is cut', () => {
    const columns = Array.from({ length: 31 }, (_, index) => ({ key: `k${index}` }))
    const value = { kind: 'table', data: { columns, rows: [{ k30: 'x' }] } }
    expect(show(value)).toMatchObject({ left: { columns: 1 } })
    expect(show(value, { maxLines: Infinity })).toMatchObject({ left: { columns: 0 } })
  })
})

describe('rows without columns', () => {
  const getRows = (rows: unknown, more: object = {}): unknown =>
    show({ kind: 'a.b', data: rows, ...more })

  test('have the names of their fields in order; columns of numbers and empty values are numbers', () => {
    const rows = [
      { a: 1, b: 'x', n: null },
      { a: null, c: 2, b: 1 },
    ]
    expect(getRows(rows)).toStrictEqual({
      kind: 'table',
      columns: [
        { label: 'a', align: 'right', type: 'number' },
        { label: 'b', align: 'left' },
        { label: 'n', align: 'right', type: 'number' },
        { label: 'c', align: 'right', type: 'number' },
      ],
      rows: [
        ['1', 'x', '', ''],
        ['', '1', '', '2'],
      ],
      left,
    })
  })

  test('are named by the first hundred of them', () => {
    const rows = (position: number): object[] =>
      Array.from({ length: 102 }, (_, index) => ({
        a: 1,
        ...(index === position && { b: 'x', a: 'y' }),
      }))
    const labels = (value: unknown): unknown =>
      (value as { columns: { label: string; align: string }[] }).columns.map(
        ({ label, align }) => `${label} ${align}`,
      )
    expect(labels(getRows(rows(99)))).toEqual(['a left', 'b left'])
    expect(labels(getRows(rows(100)))).toEqual(['a right'])
  })

  test('may be in the field rows or entries', () => {
    const display = { preferredView: 'table' }
    const table = { kind: 'table', columns: [{ label: 'a' }], rows: [['x']] }
    expect(getRows({ rows: [{ a: 'x' }] }, { display })).toMatchObject(table)
    expect(getRows({ entries: [{ a: 'x' }] }, { display })).toMatchObject(table)
    expect(getRows({ items: [{ a: 'x' }] }, { display })).toMatchObject({ kind: 'text' })
    const hinted = { ...display, fieldTypes: { a: 'path' } }
    expect(getRows([{ a: '/w/x' }], { display: hinted })).toMatchObject(table)
  })
})

describe('a tree', () => {
  const tree = (data: unknown, display: object = {}, options: ShowOptions = {}): unknown =>
    show({ kind: 'structured', data, display: { preferredView: 'tree', ...display } }, options)
  const leaf = { nodes: [], left: 0 }

  test('has each field with its name and type, and the size of nested values', () => {
    const data = { s: 'x', n: 1, b: true, z: null, l: [1], o: {}, p: '/w/a' }
    expect(tree(data, { fieldTypes: { p: 'path', toString: 'date' } })).toStrictEqual({
      kind: 'tree',
      top: {
        type: 'object',
        text: '7 fields',
        left: 0,
        nodes: [
          { key: 's', type: 'string', text: 'x', ...leaf },
          { key: 'n', type: 'number', text: '1', ...leaf },
          { key: 'b', type: 'boolean', text: 'true', ...leaf },
          { key: 'z', type: 'null', text: 'null', ...leaf },
          {
            key: 'l',
            type: 'array',
            text: '1 item',
            left: 0,
            nodes: [{ key: '0', type: 'number', text: '1', ...leaf }],
          },
          { key: 'o', type: 'object', text: '0 fields', ...leaf },
          { key: 'p', type: 'string', text: 'a', fieldType: 'path', ...leaf },
        ],
      },
    })
  })

  test('of values that are not JSON names their type', () => {
    const parts = tree({ f: () => 0, u: undefined, g: 1n })
    expect(parts).toMatchObject({
      top: {
        nodes: [
          { type: 'other', text: '(function)' },
          { type: 'other', text: '(undefined)' },
          { type: 'other', text: '(bigint)' },
        ],
      },
    })
  })

  test('shows 200 characters of a text, unless nothing is cut', () => {
    const showText = (text: string, options: ShowOptions = {}): unknown => tree(text, {}, options)
    expect(showText('x')).toStrictEqual({
      kind: 'tree',
      top: { type: 'string', text: 'x', ...leaf },
    })
    expect(showText('x'.repeat(200))).toMatchObject({ top: { text: 'x'.repeat(200) } })
    expect(showText('x'.repeat(201))).toMatchObject({ top: { text: `${'x'.repeat(200)}…` } })
    expect(showText('x'.repeat(201), { maxLines: Infinity })).toMatchObject({
      top: { text: 'x'.repeat(201) },
    })
  })

  test('is a hundred levels deep, and counts the values below', () => {
    const nested = (levels: number): unknown => (levels === 0 ? 'x' : [nested(levels - 1)])
    const { top } = tree(nested(103), {}, { maxLines: Infinity }) as {
      top: { nodes: { nodes: never[]; left: number }[]; left: number }
    }
    let [node, depth] = [top, 0]
    while (node.nodes[0]) [node, depth] = [node.nodes[0], depth + 1]
    expect([depth, node.left]).toEqual([100, 1])
  })
})

test.for<[unknown, string | undefined]>([
  ['2026-03-01', '2026-03-01'],
  ['2026-03-01T09:30:12Z', '2026-03-01 09:30 UTC'],
  ['2026-03-01T09:30:12.345+02:00', '2026-03-01 07:30 UTC'],
  ['2026-03-01T09:30Z', '2026-03-01 09:30 UTC'],
  [0, '1970-01-01 00:00 UTC'],
  [Number.NaN, undefined],
  [9e15, undefined],
  ['2026-13-01T09:30:12Z', undefined],
  ['on 2026-03-01', undefined],
  ['2026-03-01 or later', undefined],
  ['12026-03-01T09:30:12Z', undefined],
  ['on 2026-03-01T09:30:12Z', undefined],
  ['2026-03-01T09', undefined],
  ['March 1, 2026', undefined],
  [null, undefined],
])('%j is the date %j', ([value, text]) => {
  expect(dateText(value)).toBe(text)
})

test.for<[unknown, Parameters<typeof fieldText>[1], string]>([
  [null, undefined, ''],
  [undefined, 'date', ''],
  ['a', undefined, 'a'],
  ['/w/a', 'path', 'a'],
  ['/w/a', 'string', '/w/a'],
  [1, 'path', '1'],
  [true, undefined, 'true'],
  [{ a: [1] }, undefined, '{"a":[1]}'],
  [0, 'date', '1970-01-01 00:00 UTC'],
  [0, 'number', '0'],
  ['soon', 'date', 'soon'],
  [1n, undefined, ''],
])('the field %o of type %s is %j', ([value, type, text]) => {
  expect(fieldText(value, type, '/w')).toBe(text)
})

test.for<[unknown, string | undefined]>([
  ['a', 'a'],
  [{ text: 'b', content: 'a', modified: 'c' }, 'a'],
  [{ content: 1, text: 'b', modified: 'c' }, 'b'],
  [{ modified: 'c' }, 'c'],
  [{ summary: 'a' }, undefined],
  [Object.create({ content: 'a' }), undefined],
  [null, undefined],
])('the text in %j is %j', ([data, text]) => {
  expect(textIn(data)).toBe(text)
})
