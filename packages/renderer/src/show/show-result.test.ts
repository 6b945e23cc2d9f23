import type { ContentBlock, ToolResult } from '@toolblocks/protocol'
import { describe, expect, test } from 'vitest'
import { showResult } from '../index.ts'
import type { ShowOptions } from './show-context.ts'
import { findRequiredReaders } from './show-result.ts'

const show = (structuredContent: unknown, content: readonly ContentBlock[] = []) =>
  showResult({ content, isError: false, structuredContent }, { root: '/w', maxLines: 2 })

describe('the shown value is independent of its rendering', () => {
  test('of a failure: its outcome, the blocks, the causes, the warnings', () => {
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

  test('of blocks: facts, content with its type, the uri of a link, the complete question', () => {
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

  test('of a table: labels, alignment, cells as text, and the number of omitted rows', () => {
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

  test('of a diff: the change of each line, without the signs of a terminal', () => {
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

  test('of a diff without lines: that it is new, or that its original is unknown', () => {
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
          facts('changed', 'original unknown'),
          { kind: 'code', language: 'ts', first: 'a', left: 0, last: '' },
        ],
      },
    ])
  })

  test('of files: the entries, and the number of omitted ones', () => {
    const entries = [{ name: 'a', size: 1 }, { name: 'b' }, { name: 'c' }]
    expect(show({ kind: 'file_list', data: { path: '/w', entries } }).answer).toMatchObject([
      { parts: [{ kind: 'facts' }, { kind: 'entries', entries: entries.slice(0, 2), left: 1 }] },
    ])
  })
})

test('an omitted call is skipped, not denied', () => {
  const result: ToolResult = {
    content: [],
    isError: true,
    metadata: { outcome: 'denied', skipped: true },
  }
  expect(showResult(result).failure).toMatchObject([{ text: 'skipped' }])
})

const markdown = (content: string): ReturnType<typeof findRequiredReaders> =>
  findRequiredReaders([
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
])('Markdown %j needs %j', ([content, languages]) => {
  expect(markdown(content)).toEqual({ languages, markdown: 'wanted' })
})

test('code needs its language, and no Markdown', () => {
  const resource = { uri: 'file:///a.RS', text: 'a' }
  expect(
    findRequiredReaders([{ content: [{ type: 'resource', resource }], isError: false }]),
  ).toEqual({ languages: ['rs'], markdown: 'none' })
})

test('code of an unknown language needs nothing', () => {
  const resource = { uri: 'a:b', text: 'a' }
  expect(
    findRequiredReaders([{ content: [{ type: 'resource', resource }], isError: false }]),
  ).toBeUndefined()
})

const lines = (count: number): string => Array.from({ length: count }, () => 'a').join('\n')

const findAnswer = (result: Partial<ToolResult>, options: ShowOptions = {}): object | undefined =>
  showResult({ content: [], isError: false, ...result }, options).answer[0]

const findText = (text: string, options: ShowOptions = {}, isError = false): object | undefined =>
  findAnswer({ content: [{ type: 'text', text }], isError }, options)

describe('of a text', () => {
  test('by default forty lines are shown, and 2,000 characters of each', () => {
    expect(findText(lines(41))).toMatchObject({ left: 0 })
    expect(findText(lines(42))).toEqual({ kind: 'text', first: lines(40), left: 2, last: '' })
    expect(findText('x'.repeat(2000))).toMatchObject({ first: 'x'.repeat(2000) })
    expect(findText('x'.repeat(2001))).toMatchObject({ first: `${'x'.repeat(2000)}\n…(+1)` })
  })

  test('the last lines replace first lines, but at least one first line stays', () => {
    const findLines = (maxLines: number, lastLines: number): object | undefined =>
      findText(lines(50), { maxLines, lastLines })
    expect(findLines(10, 3)).toEqual({ kind: 'text', first: lines(7), left: 40, last: lines(3) })
    expect(findLines(10, 20)).toEqual({ kind: 'text', first: 'a', left: 40, last: lines(9) })
    expect(findLines(10, -5)).toEqual({ kind: 'text', first: lines(10), left: 40, last: '' })
    expect(findLines(0, 0)).toEqual({ kind: 'text', first: 'a', left: 49, last: '' })
    expect(findLines(Infinity, 3)).toMatchObject({ left: 0 })
  })

  test('without a limit everything is shown, for lines of any length', () => {
    expect(findText('x'.repeat(30_000), { maxLines: Infinity })).toMatchObject({
      first: 'x'.repeat(30_000),
    })
  })

  test('of an error the first 500 lines are shown and the last, with 20,000 characters of each', () => {
    expect(findText(lines(1001), { maxLines: 2 }, true)).toMatchObject({ left: 0 })
    expect(findText(lines(1002), { maxLines: 2 }, true)).toEqual({
      kind: 'text',
      first: lines(500),
      left: 2,
      last: lines(500),
    })
    expect(findText(lines(1202), { maxLines: 700 }, true)).toMatchObject({
      first: lines(700),
      left: 2,
    })
    expect(findText('x'.repeat(20_001), {}, true)).toMatchObject({
      first: `${'x'.repeat(20_000)}\n…(+1)`,
    })
  })
})

describe('of rows', () => {
  const table = (rows: number): Partial<ToolResult> => ({
    structuredContent: {
      kind: 'table',
      data: { columns: [{ key: 'a' }], rows: Array.from({ length: rows }, () => ({})) },
    },
  })
  test('as many are shown as lines, from the first', () => {
    const left = (options: ShowOptions): unknown => findAnswer(table(50), options)
    expect(left({ maxLines: 10, lastLines: 4 })).toMatchObject({ parts: [{ left: { rows: 40 } }] })
    expect(left({ maxLines: Infinity })).toMatchObject({ parts: [{ left: { rows: 0 } }] })
  })

  test('a height shows fewer, at least one, and never more', () => {
    const left = (maxHeight: number, options: ShowOptions = {}): unknown => {
      const { structuredContent } = table(50)
      const value = { ...(structuredContent as object), display: { maxHeight } }
      return findAnswer({ structuredContent: value }, options)
    }
    expect(left(4.9)).toMatchObject({ parts: [{ left: { rows: 46 } }] })
    expect(left(1)).toMatchObject({ parts: [{ left: { rows: 49 } }] })
    expect(left(0.5)).toMatchObject({ parts: [{ left: { rows: 10 } }] })
    expect(left(45)).toMatchObject({ parts: [{ left: { rows: 10 } }] })
    expect(left(4, { maxLines: Infinity })).toMatchObject({ parts: [{ left: { rows: 0 } }] })
    expect(left(0.5, { tallValues: 'scroll' })).toMatchObject({ parts: [{}] })
    expect(left(0.5, { tallValues: 'scroll' })).not.toHaveProperty('maxHeight')
  })
})

describe('of warnings and causes', () => {
  const warned = (count: number): Partial<ToolResult> => ({
    metadata: {
      warnings: Array.from({ length: count }, (_, index) => ({ path: `/${index}`, message: 'm' })),
    },
  })
  const remarks = (result: Partial<ToolResult>, options: ShowOptions = {}): readonly object[] =>
    showResult({ content: [], isError: false, ...result }, options).remarks

  test('five warnings are shown, or all if nothing is cut', () => {
    expect(remarks(warned(5))).toHaveLength(5)
    expect(remarks(warned(7)).slice(4)).toEqual([
      { kind: 'warning', path: '/4', message: 'm', facts: [] },
      { kind: 'left', count: 2, unit: 'warning' },
    ])
    expect(remarks(warned(7), { maxLines: Infinity })).toHaveLength(7)
  })

  test('a warning does not repeat itself, in any spelling', () => {
    const facts = (expected: string, got: string): unknown =>
      remarks({
        metadata: { warnings: [{ path: '', message: 'Expected a String.', expected, got }] },
      })
    expect(facts('a string', 'number')).toMatchObject([{ facts: ['got number'] }])
    expect(facts('A Number', 'a STRING')).toMatchObject([{ facts: ['expected A Number'] }])
  })

  test('a hundred causes of an error are shown, and none of a success', () => {
    const trace = (count: number): NonNullable<ToolResult['_meta']> => ({
      'computer.jp/error': { transient: false, trace: Array.from({ length: count }, () => 'c') },
    })
    const cause = { kind: 'cause', first: 'c', left: 0, last: '' }
    const causes = (count: number): unknown[] => Array.from({ length: count }, () => cause)
    expect(remarks({ isError: true, _meta: trace(100) })).toEqual([
      { kind: 'group', parts: causes(100) },
    ])
    expect(remarks({ isError: true, _meta: trace(102) })).toEqual([
      { kind: 'group', parts: [...causes(100), { kind: 'left', count: 2, unit: 'cause' }] },
    ])
    expect(remarks({ isError: true, _meta: trace(0) })).toEqual([])
    expect(remarks({ _meta: trace(1) })).toEqual([])
  })

  test.for<[unknown, object[]]>([
    ['a\nb\n', [{ kind: 'stderr', lines: 2 }]],
    ['a\n\n', [{ kind: 'stderr', lines: 2 }]],
    ['a', [{ kind: 'stderr', lines: 1 }]],
    ['', []],
    [7, []],
  ])('standard error %j is counted in lines', ([stderr, parts]) => {
    expect(remarks({ metadata: { stderr } })).toStrictEqual(parts)
  })
})
