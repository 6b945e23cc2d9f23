import fc from 'fast-check'
import { describe, expect, expectTypeOf, test } from 'vitest'
import {
  type ToolResultValue,
  isToolResultValue,
  isValidKind,
  isWellKnownValue,
  normalizeResultValue,
  readResultValue,
} from './tool-result-value.ts'
import type { WellKnownValue } from './well-known-value.ts'

const wellKnown: readonly WellKnownValue[] = [
  { kind: 'text', data: { content: '# Title' }, mimeType: 'text/markdown' },
  {
    kind: 'diff',
    data: {
      path: 'a.txt',
      original: 'a\n',
      modified: 'b\n',
      isNew: false,
      hunks: [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ['-a', '+b'] }],
      bytesWritten: 2,
    },
    summary: '+1 -1 lines',
  },
  { kind: 'file_content', data: { path: 'a.txt', content: 'a', size: 1, encoding: 'utf-8' } },
  {
    kind: 'file_list',
    data: {
      path: '.',
      entries: [
        { name: 'src', type: 'directory' },
        { name: 'a', size: 1, modified: '2026-01-01' },
      ],
      truncated: true,
    },
  },
  {
    kind: 'table',
    data: {
      columns: [{ key: 'n', label: 'N', type: 'number', align: 'right' }, { key: 'name' }],
      rows: [{ n: 1, name: 'one' }, {}],
    },
    display: { maxHeight: 10 },
  },
  { kind: 'image', data: { base64: 'aGk=', alt: 'hi' }, mimeType: 'image/png' },
  { kind: 'image', data: { url: 'https://example.com/a.png' } },
  { kind: 'structured', data: null, display: { preferredView: 'tree' } },
]

describe('isValidKind', () => {
  test.for(['text', 'git.status', 'my_plugin.custom_type', 'a1.b_2.c'])('%s is a kind', (kind) => {
    expect(isValidKind(kind)).toBe(true)
  })

  test.for(['', 'Text', '1a', '_a', 'a.', '.a', 'a..b', 'a.1', 'a-b', 'a b', 'text\n', 'é'])(
    '%j is not a kind',
    (kind) => {
      expect(isValidKind(kind)).toBe(false)
    },
  )
})

describe('a well-known kind', () => {
  test.for(wellKnown)('$kind is valid with its shape', (value) => {
    expect(isWellKnownValue(value)).toBe(true)
    expect(isToolResultValue(value)).toBe(true)
  })

  test.for([
    { kind: 'text', data: 'plain' },
    { kind: 'text', data: {} },
    { kind: 'diff', data: { path: 'a', modified: 'b' } },
    { kind: 'diff', data: { path: 'a', modified: 'b', isNew: true, hunks: [{ lines: [] }] } },
    { kind: 'file_content', data: { path: 'a', content: 'b', size: -1 } },
    { kind: 'file_list', data: { path: 'a', entries: ['b'] } },
    { kind: 'file_list', data: { path: 'a', entries: [{ name: 'b', type: 'socket' }] } },
    { kind: 'table', data: { columns: [], rows: [1] } },
    { kind: 'table', data: { columns: [{ key: 'a', align: 'justify' }], rows: [] } },
    { kind: 'image', data: { alt: 'nothing to show' } },
    { kind: 'structured' },
  ])('%j is not valid', (value) => {
    expect(isWellKnownValue(value)).toBe(false)
    expect(isToolResultValue(value)).toBe(false)
  })

  test('a switch on the kind narrows the type of the data', () => {
    const value: unknown = wellKnown[0]
    expect(isWellKnownValue(value) && value.kind === 'text' && value.data.content).toBe('# Title')
    expectTypeOf<WellKnownValue>().toExtend<ToolResultValue>()
  })
})

describe('a tool’s own kind', () => {
  test('holds any data and is not well known', () => {
    expect(isToolResultValue({ kind: 'git.status', data: { ahead: 1 } })).toBe(true)
    expect(isToolResultValue({ kind: 'git.status', data: null, extra: 1 })).toBe(true)
    expect(isWellKnownValue({ kind: 'git.status', data: { ahead: 1 } })).toBe(false)
  })

  test.for([
    null,
    'text',
    [],
    { kind: 'execute' },
    { kind: 'Git', data: 1 },
    { kind: 'git', data: 1, summary: 2 },
    { kind: 'git', data: 1, mimeType: null },
    { kind: 'git', data: 1, display: { preferredView: 'chart' } },
    { kind: 'git', data: 1, display: [] },
    Object.create({ kind: 'git', data: 1 }),
  ])('%j is not a semantic value', (value) => {
    expect(isToolResultValue(value)).toBe(false)
  })
})

describe('a value in its own shape', () => {
  test('is unchanged, with unknown fields', () => {
    const value = {
      kind: 'text',
      data: { content: 'hi', lines: 1 },
      summary: 's',
      mimeType: 'text/plain',
      display: { preferredView: 'code', language: 'rust', theme: 'dark' },
      sender: 'x',
    }
    expect(normalizeResultValue(value)).toEqual(value)
  })

  test('loses only its malformed hints', () => {
    const display = { preferredView: 'chart', collapsed: true, maxHeight: '10' }
    expect(
      normalizeResultValue({ kind: 'git.log', data: [], summary: 1, mimeType: 'a/b', display }),
    ).toEqual({ kind: 'git.log', data: [], mimeType: 'a/b', display: { collapsed: true } })
  })

  test('of a well-known kind without the shape of that kind is read as structured', () => {
    expect(normalizeResultValue({ kind: 'diff', data: { a: 1 }, summary: 's', x: 1 })).toEqual({
      kind: 'structured',
      data: { a: 1 },
      summary: 's',
      x: 1,
    })
  })
})

describe('readResultValue', () => {
  test('is read with any hints', () => {
    const display = {
      preferredView: 'chart',
      fieldTypes: { at: 'date', in: 'color' },
      collapsed: true,
    }
    const value = { kind: 'git.log', data: 7, summary: 1, mimeType: null, display, more: 2 }
    expect(readResultValue(value)).toEqual({
      kind: 'git.log',
      data: 7,
      display: { fieldTypes: { at: 'date' }, collapsed: true },
      more: 2,
    })
  })

  test.for([
    { kind: 'git.log' },
    { kind: 'text', content: 'flat' },
    { kind: 'diff', data: { a: 1 } },
    { kind: 'Git', data: 1 },
    { data: 1 },
    'text',
    null,
  ])('%j is not read', (value) => {
    expect(readResultValue(value)).toBeUndefined()
  })

  test('every `ToolResultValue` is read unchanged', () => {
    const value = { kind: 'text', data: { content: 'a' }, display: { preferredView: 'code' } }
    expect(isToolResultValue(value) && readResultValue(value)).toEqual(value)
  })
})

describe('an older shape', () => {
  test('text', () => {
    expect(normalizeResultValue({ kind: 'text', content: 'hi' })).toEqual({
      kind: 'text',
      data: { content: 'hi' },
    })
  })

  test('file_content with a repeated success', () => {
    expect(
      normalizeResultValue({
        kind: 'file_content',
        success: true,
        path: '/a.txt',
        content: 'hello',
        size: 5,
        summary: 'Read /a.txt (5 bytes)',
        mimeType: 'text/plain',
      }),
    ).toEqual({
      kind: 'file_content',
      data: { path: '/a.txt', content: 'hello', size: 5 },
      summary: 'Read /a.txt (5 bytes)',
      mimeType: 'text/plain',
    })
  })

  test('diff with or without its original', () => {
    const flat = {
      kind: 'diff',
      success: true,
      path: '/a',
      modified: 'b',
      isNew: false,
      bytesWritten: 1,
    }
    expect(normalizeResultValue(flat)).toEqual({
      kind: 'diff',
      data: { path: '/a', modified: 'b', isNew: false, bytesWritten: 1 },
    })
  })

  test('file_list: names become entries, a "/" at the end means a directory', () => {
    const flat = {
      kind: 'file_list',
      success: true,
      path: '/',
      files: ['src/', 'a', '/', 'src/a'],
      count: 3,
    }
    expect(normalizeResultValue(flat)).toEqual({
      kind: 'file_list',
      data: {
        path: '/',
        entries: [
          { name: 'src', type: 'directory' },
          { name: 'a' },
          { name: '/' },
          { name: 'src/a' },
        ],
        count: 3,
      },
    })
  })

  test('files beside entries, in another kind or of another type, are an unknown field', () => {
    const rows = [
      { kind: 'file_list', data: { path: '/', files: ['a'], entries: [{ name: 'b' }] } },
      { kind: 'text', data: { content: 'hi', files: ['a'] } },
    ]
    for (const { kind, data } of rows)
      expect(normalizeResultValue({ kind, ...data })).toEqual({ kind, data })
    const value = { kind: 'file_list', path: '/', files: [1] }
    expect(normalizeResultValue(value)).toEqual({ kind: 'structured', data: value })
  })

  test('a success that is not true is kept as information', () => {
    expect(normalizeResultValue({ kind: 'text', success: false, content: 'hi' })).toEqual({
      kind: 'text',
      data: { success: false, content: 'hi' },
    })
  })

  test('json is read as structured', () => {
    expect(normalizeResultValue({ kind: 'json', data: [1], summary: 's' })).toEqual({
      kind: 'structured',
      data: [1],
      summary: 's',
    })
  })

  test('the other fields of a tool’s own kind without data are its data', () => {
    expect(
      normalizeResultValue({ kind: 'git.status', success: true, ahead: 1, summary: 's' }),
    ).toEqual({
      kind: 'git.status',
      data: { success: true, ahead: 1 },
      summary: 's',
    })
  })

  test('a well-known kind without its fields is another object, kept completely', () => {
    const value = { kind: 'text', success: false, summary: 's', value: 3 }
    expect(normalizeResultValue(value)).toEqual({ kind: 'structured', data: value, summary: 's' })
  })
})

test.for([undefined, null, 'text', 5, [], {}, { kind: 5 }, { kind: 'Not Valid', data: 1 }])(
  '%j is not a semantic value',
  (value) => {
    expect(normalizeResultValue(value)).toBeUndefined()
  },
)

test('law: any value that is read is a semantic value and is read as itself', () => {
  const kind = fc.constantFrom(
    'text',
    'diff',
    'file_list',
    'table',
    'image',
    'json',
    'git.log',
    'X',
  )
  const names = fc.constantFrom(
    'data',
    'content',
    'path',
    'files',
    'success',
    'summary',
    'display',
    '__proto__',
  )
  const fields = fc.dictionary(names, fc.oneof(fc.jsonValue(), fc.constant({ content: 'a' })))
  fc.assert(
    fc.property(kind, fields, (name, rest) => {
      const read = normalizeResultValue({ ...rest, kind: name })
      fc.pre(read !== undefined)
      expect(isToolResultValue(read)).toBe(true)
      expect(normalizeResultValue(read)).toEqual(read)
    }),
    { numRuns: 500 },
  )
})
