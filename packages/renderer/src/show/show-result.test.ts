import type { ContentBlock, ToolResult } from '@toolblocks/protocol'
import { describe, expect, test } from 'vitest'
import { showResult } from '../index.ts'
import { findWantedReaders } from './show-result.ts'

const show = (structuredContent: unknown, content: readonly ContentBlock[] = []) =>
  showResult({ content, isError: false, structuredContent }, { root: '/w', maxLines: 2 })

describe('what is shown is a value apart from how it is written', () => {
  test('of a failure: how it ended, the blocks, the causes, the warnings', () => {
    const result: ToolResult = {
      content: [{ type: 'text', text: 'no\n' }],
      isError: true,
      metadata: {
        outcome: 'timeout',
        warnings: [{ path: '/a', message: 'Odd.', expected: 'b', got: 'c' }],
        stderr: 'one\ntwo\n',
      },
      _meta: { 'computer.jp/error': { transient: true, trace: ['slow'] } },
    }
    expect(showResult(result, { stderr: 'show' })).toEqual({
      failure: [{ kind: 'failure', text: 'timed out', transient: true }],
      answer: [{ kind: 'text', first: 'no', left: 0, last: '' }],
      remarks: [
        { kind: 'group', parts: [{ kind: 'cause', first: 'slow', left: 0, last: '' }] },
        { kind: 'stderr', lines: 2, text: { first: 'one\ntwo', left: 0, last: '' } },
        { kind: 'warning', path: '/a', message: 'Odd.', facts: ['expected b', 'got c'] },
      ],
    })
  })

  test('of blocks: facts, content with its type, the uri of a link, the whole question', () => {
    const content: ContentBlock[] = [
      {
        type: 'resource',
        resource: { uri: 'file:///w/a.rs', mimeType: 'text/rust', text: 'a\nb\nc\nd' },
      },
      { type: 'resource_link', uri: 'javascript:alert(1)', name: 'click' },
      { type: 'question', question: { id: 'q', text: 'Sure?\nReally?\nYes?', schema: {} } },
    ]
    expect(show(undefined, content).answer).toEqual([
      {
        kind: 'group',
        parts: [
          { kind: 'facts', name: 'a.rs', facts: ['text/rust', '7 bytes'] },
          { kind: 'code', mimeType: 'text/rust', language: 'rs', first: 'a\nb', left: 2, last: '' },
        ],
      },
      {
        kind: 'link',
        name: 'click',
        uri: 'javascript:alert(1)',
        facts: ['link, not read', 'javascript:alert(1)'],
      },
      {
        kind: 'question',
        id: 'q',
        isLine: false,
        first: 'Sure?\nReally?\nYes?',
        left: 0,
        last: '',
      },
    ])
  })

  test('of a table: labels, alignment, cells as text, and how much is left out', () => {
    const rows = [{ n: 1 }, { n: { a: 1 } }, {}, {}]
    expect(
      show({ kind: 'table', data: { columns: [{ key: 'n', type: 'number' }], rows } }),
    ).toEqual({
      failure: [],
      answer: [
        {
          kind: 'group',
          parts: [
            {
              kind: 'table',
              columns: [{ label: 'n', align: 'right', type: 'number' }],
              rows: [['1'], ['{"a":1}']],
              left: { rows: 2, columns: 0 },
            },
          ],
        },
      ],
      remarks: [],
    })
  })

  test('of a diff: what became of each line, without the signs of a terminal', () => {
    const data = { path: '/w/a', original: 'a\n', modified: 'b\n', isNew: false }
    const options = { root: '/w' }
    const { answer } = showResult(
      { content: [], isError: false, structuredContent: { kind: 'diff', data } },
      options,
    )
    expect(answer).toEqual([
      {
        kind: 'group',
        parts: [
          { kind: 'facts', name: 'a', facts: ['changed', '+1 −1'] },
          {
            kind: 'diff',
            first: [
              { change: 'hunk', text: '@@ -1,1 +1,1 @@' },
              { change: 'removed', text: 'a', before: 1 },
              { change: 'added', text: 'b', after: 1 },
            ],
            left: 0,
            last: [],
          },
        ],
      },
    ])
  })

  test('of a diff without lines: that it is new, or from what is not known', () => {
    const diff = (data: object): unknown =>
      show({ kind: 'diff', data: { path: '/w/a.ts', ...data } }).answer
    const facts = (...known: string[]): object => ({ kind: 'facts', name: 'a.ts', facts: known })
    expect(diff({ modified: '', isNew: true })).toEqual([
      { kind: 'group', parts: [facts('new', 'no changes')] },
    ])
    expect(diff({ modified: 'a', isNew: false })).toEqual([
      {
        kind: 'group',
        parts: [
          facts('changed', 'from what is not known'),
          { kind: 'code', language: 'ts', first: 'a', left: 0, last: '' },
        ],
      },
    ])
  })

  test('of files: the entries as they are, and how many are left out', () => {
    const entries = [{ name: 'a', size: 1 }, { name: 'b' }, { name: 'c' }]
    expect(show({ kind: 'file_list', data: { path: '/w', entries } }).answer).toMatchObject([
      { parts: [{ kind: 'facts' }, { kind: 'entries', entries: entries.slice(0, 2), left: 1 }] },
    ])
  })
})

test('a call that was left out is skipped, not denied', () => {
  const result: ToolResult = {
    content: [],
    isError: true,
    metadata: { outcome: 'denied', skipped: true },
  }
  expect(showResult(result).failure).toMatchObject([{ text: 'skipped' }])
})

const markdown = (content: string): ReturnType<typeof findWantedReaders> =>
  findWantedReaders([
    {
      content: [],
      isError: false,
      structuredContent: { kind: 'text', mimeType: 'text/markdown', data: { content } },
    },
  ])

test.for<[string, string[]]>([
  ['```rs\n```', ['rs']],
  ['~~~~ TS x\n~~~~', ['ts']],
  ['a\n> - \t```c++\n', []],
  ['a\n>  \t```c++\n', ['c++']],
  ['```objective-c.x#y', ['objective-c.x#y']],
  ['``rs', []],
  ['a ```rs', []],
  ['```\nrs', []],
  ['```rs\n```\n```py\n```\n```rs', ['rs', 'py']],
])('Markdown %j wants %j', ([content, languages]) => {
  expect(markdown(content)).toEqual({ languages, markdown: 'wanted' })
})

test('code wants its language, and no Markdown', () => {
  const resource = { uri: 'file:///a.RS', text: 'a' }
  expect(
    findWantedReaders([{ content: [{ type: 'resource', resource }], isError: false }]),
  ).toEqual({ languages: ['rs'], markdown: 'none' })
})

test('code of no known language wants nothing', () => {
  const resource = { uri: 'a:b', text: 'a' }
  expect(
    findWantedReaders([{ content: [{ type: 'resource', resource }], isError: false }]),
  ).toBeUndefined()
})
