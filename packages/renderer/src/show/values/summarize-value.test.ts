import type { ToolResultValue } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { firstLine, summarizeValue } from './summarize-value.ts'

const hunk = { oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ['-a', '+b'] }
const entry = (name: string, type?: string): object => ({
  name,
  ...(type !== undefined && { type }),
})

test.for<[string, unknown, string, Partial<ToolResultValue>?]>([
  ['text', { content: '\n a\nb' }, 'a'],
  ['text', { content: 'a' }, 'its own', { summary: 'its own' }],
  ['text', { content: 'a' }, 'a', { summary: '' }],
  ['diff', { path: 'a', modified: 'b\n', isNew: false }, 'changed a'],
  ['diff', { path: 'a', modified: 'b\n', original: 'a\n', isNew: false }, 'a: +1 −1 lines'],
  ['diff', { path: 'a', modified: 'b\n', isNew: false, hunks: [hunk] }, 'a: +1 −1 lines'],
  ['file_content', { path: 'a', content: 'b', size: 1 }, 'a: 1 byte'],
  ['file_list', { path: '.', entries: [entry('a'), entry('b', 'file')] }, '2 files'],
  ['file_list', { path: '.', entries: [entry('a')], truncated: true }, '1 file, and more'],
  ['file_list', { path: '.', entries: [entry('a', 'directory')] }, '1 entry'],
  ['file_list', { path: '.', entries: [entry('a'), entry('b', 'symlink')] }, '2 entries'],
  ['table', { columns: [{ key: 'a' }], rows: [{}, {}] }, '2 rows, 1 column'],
  ['image', { url: 'x:1', alt: 'a cat' }, 'a cat', { mimeType: 'image/png' }],
  ['image', { url: 'x:1' }, 'image/png', { mimeType: 'image/png' }],
  ['image', { url: 'x:1' }, 'image'],
  ['structured', [1, 2], '2 items'],
  ['structured', { a: 1 }, '1 field'],
  ['structured', 'a\nb', 'a'],
  ['structured', null, 'null'],
  ['git.log', [], 'git.log: 0 items'],
  ['git.log', 7, 'git.log: 7'],
  ['map.tile', 'AAAA', 'map.tile: image/png, 3 bytes', { mimeType: 'image/png' }],
  ['structured', 'AAAA', 'image/png, 3 bytes', { mimeType: 'image/png' }],
  ['map.tile', 'AAAA', 'map.tile: AAAA'],
])('a value of kind %s, %j, in one line is %j', ([kind, data, line, more]) => {
  expect(summarizeValue({ kind, data, ...more })).toBe(line)
})

test('a line is at most a hundred characters, and its end is no blank', () => {
  expect(firstLine('x'.repeat(100))).toBe('x'.repeat(100))
  expect(firstLine('x'.repeat(101))).toBe(`${'x'.repeat(100)}…`)
  expect(firstLine(' \n a \nb')).toBe('a')
  expect(firstLine(' ')).toBe('')
})
