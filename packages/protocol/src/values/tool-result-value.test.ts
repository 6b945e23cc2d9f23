import { describe, expect, expectTypeOf, test } from 'vitest'
import {
  isToolResultValue,
  isValidKind,
  isWellKnownValue,
  type ToolResultValue,
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
    '%j is none',
    (kind) => {
      expect(isValidKind(kind)).toBe(false)
    },
  )
})

describe('a well-known kind', () => {
  test.for(wellKnown)('$kind is trusted with its shape', (value) => {
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
  ])('%j is not trusted', (value) => {
    expect(isWellKnownValue(value)).toBe(false)
    expect(isToolResultValue(value)).toBe(false)
  })

  test('switching on its kind tells what is in its data', () => {
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
  ])('%j is no semantic value', (value) => {
    expect(isToolResultValue(value)).toBe(false)
  })
})
