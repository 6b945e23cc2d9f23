import { type ToolResult, type ToolResultValue } from '@toolblocks/protocol'
import { createQuotingBlocks } from '@toolblocks/protocol/internal'
import { expect, test } from 'vitest'
import { showOverview, summarizeResult, summarizeValue } from './summarize-result.ts'

const text = (content: string) => ({ type: 'text', text: content }) as const
const image = { type: 'image', data: 'QQ==', mimeType: 'image/png' } as const

test.for<[Partial<ToolResult>, string]>([
  [{}, 'no output'],
  [{ content: [text('\n first\nsecond')] }, 'first'],
  [{ content: [text(' \n'), text('said')] }, 'said'],
  [{ content: [image, text('said')] }, 'said'],
  [{ content: [image] }, 'image'],
  [{ content: [image, image] }, '2 blocks'],
  [{ content: [text(' ')] }, 'text'],
  [{ structuredContent: { a: 1, b: 2 } }, '2 fields'],
  [{ structuredContent: [1] }, '1 item'],
  [{ structuredContent: null }, 'null'],
  [{ structuredContent: { a: 1 }, content: [text('said')] }, 'said'],
  [{ structuredContent: { kind: 'text', data: { content: 'of a value' } } }, 'of a value'],
  [{ structuredContent: { kind: 'text', content: 'older' }, content: [text('said')] }, 'older'],
  [
    { structuredContent: { kind: 'git.log', data: [1, 2] }, content: [text('said')] },
    'git.log: 2 items',
  ],
  [{ structuredContent: { kind: 'git.log', count: 2 }, content: [text('said')] }, 'said'],
  [
    {
      structuredContent: {
        kind: 'text',
        data: { content: 'a' },
        display: { preferredView: 'hidden' },
      },
    },
    'text: hidden',
  ],
  [{ isError: true }, 'failed'],
  [{ isError: true, content: [text('no such file\nat a')] }, 'failed: no such file'],
  [
    { isError: true, content: createQuotingBlocks('The call failed.', 'no disk\nat a') },
    'failed: The call failed. no disk',
  ],
  [
    { isError: true, content: [text('out'), ...createQuotingBlocks('It ended.', 'why')] },
    'failed: out',
  ],
  [
    {
      isError: true,
      content: [text('a')],
      structuredContent: { kind: 'text', data: { content: 'b' } },
    },
    'failed: a',
  ],
  [{ isError: true, metadata: { outcome: 'denied' } }, 'denied'],
  [{ isError: true, metadata: { outcome: 'denied', skipped: true } }, 'skipped'],
  [{ isError: true, metadata: { outcome: 'cancelled' } }, 'cancelled'],
  [{ isError: true, metadata: { outcome: 'timeout' } }, 'timed out'],
  [
    { isError: true, metadata: { outcome: 'unanswered' } },
    'unanswered: no one was available to answer the tool',
  ],
  [{ isError: true, metadata: { outcome: 'failed' } }, 'failed'],
])('%j in one line is %j', ([result, line]) => {
  expect(summarizeResult({ content: [], isError: false, ...result })).toBe(line)
})

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

test('a line is at most a hundred characters', () => {
  const getSummary = (content: string): string =>
    summarizeResult({ content: [text(content)], isError: false })
  expect(getSummary('x'.repeat(100))).toBe('x'.repeat(100))
  expect(getSummary('x'.repeat(101))).toBe(`${'x'.repeat(100)}…`)
  expect(getSummary(' \n a \nb')).toBe('a')
})

test('an overview has one line for each result, those with a higher priority first', () => {
  const results = [undefined, 1, 5].map((priority, index) => ({
    content: [],
    isError: false,
    structuredContent: {
      kind: 'text',
      data: { content: `result ${index}` },
      ...(priority !== undefined && { display: { priority } }),
    },
  }))
  expect(showOverview(results).map(({ index, priority }) => [index, priority])).toEqual([
    [2, 5],
    [1, 1],
    [0, 0],
  ])
})
