import { describe, expect, test } from 'vitest'
import type { ContentBlock, ToolResult } from '@toolblocks/protocol'
import {
  renderArguments,
  renderTerminal,
  renderTerminalBlocks,
  renderTerminalParts,
} from '../index.ts'
import { measureWidth } from '../compose/compose-terminal.ts'

const ok = (content: readonly ContentBlock[], more: Partial<ToolResult> = {}): ToolResult => ({
  content,
  isError: false,
  ...more,
})
const text = (content: string): ContentBlock => ({ type: 'text', text: content })
const file = (body: string): ContentBlock => ({
  type: 'resource',
  resource: { uri: 'file:///w/a.rs', mimeType: 'text/rust', text: body },
})
const table = (columns: readonly string[], cell: string): ToolResult =>
  ok([], {
    structuredContent: {
      kind: 'table',
      data: {
        columns: columns.map((key) => ({ key })),
        rows: [Object.fromEntries(columns.map((key) => [key, `${key} ${cell}`]))],
      },
    },
  })

describe('with columns', () => {
  test('words are not split, and the gutter and the indent stay', () => {
    expect(renderTerminalBlocks([file('    let lamp = on and off')], { columns: 20 })).toBe(
      'file:///w/a.rs\n  text/rust · 25\n  bytes\n│     let lamp = on\n│     and off',
    )
  })

  test.for([9, 12, 18])(
    'no line is longer than %i columns, and what is cut has a mark',
    (columns) => {
      const results = [
        renderTerminalBlocks([file('    let lamp = on and off')], { columns }),
        renderTerminal(table(['id', 'note'], 'x'.repeat(39)), { columns }),
        renderTerminal(ok([{ type: 'text', text: 'words and averyverylongword' }]), { columns }),
      ]
      for (const line of results.join('\n').split('\n'))
        expect(measureWidth(line)).toBeLessThanOrEqual(columns)
      expect(results[1]).toContain('…')
      expect(results[2]?.replaceAll(/\s/g, '')).toBe('wordsandaveryverylongword')
    },
  )

  test('a changed line keeps its colour and its sign in every row', () => {
    const diff = { path: 'a', original: '', modified: 'one two three four five', isNew: true }
    const rendered = renderTerminal(ok([], { structuredContent: { kind: 'diff', data: diff } }), {
      columns: 20,
      colors: 'ansi',
    })
    const added = rendered.split('\n').slice(1)
    expect(added).toHaveLength(2)
    expect(added.every((line) => line.includes('\u001B[32m'))).toBe(true)
    expect(added[1]).toContain('four five')
  })

  test('tables shrink by their widest columns, and a column without space is counted', () => {
    const rendered = renderTerminal(table(['id', 'note'], 'x'.repeat(39)), { columns: 40 })
    expect(rendered.split('\n').map(measureWidth)).toEqual([25, 40, 40])
    const narrow = renderTerminal(table(['a', 'b', 'c', 'd', 'e'], 'xxxx'), { columns: 20 })
    expect(narrow).toContain('… 2 more columns')
    for (const line of narrow.split('\n')) expect(measureWidth(line)).toBeLessThanOrEqual(20)
  })

  test('a table that must not be cut is written cell by cell if it does not fit', () => {
    const rendered = renderTerminal(table(['id', 'note'], 'word '.repeat(8)), {
      columns: 30,
      maxLines: Infinity,
    })
    expect(rendered).toBe(
      'id: id word word word word\n  word word word word\nnote: note word word word word\n  word word word word',
    )
  })

  test('summaries and notes fit the columns', () => {
    const value = { kind: 'text', summary: 'word '.repeat(12).trim(), data: { content: 'a' } }
    const hidden = { kind: 'structured', data: 1, display: { preferredView: 'hidden' } }
    expect(
      renderTerminal(ok([], { structuredContent: value }), { columns: 20 }).split('\n'),
    ).toEqual(['word word word word', 'word word word word', 'word word word word', 'a'])
    expect(renderTerminal(ok([], { structuredContent: hidden }), { columns: 20 })).toBe(
      '(structured: hidden,\nas the tool asks)',
    )
  })

  test('failures, warnings, facts and questions fit the columns', () => {
    const rendered = renderTerminal(
      ok(
        [
          text('word '.repeat(30)),
          { type: 'question', question: { id: 'q', text: 'May I? '.repeat(12), schema: true } },
        ],
        {
          isError: true,
          metadata: {
            outcome: 'unanswered',
            warnings: [{ path: '/content/1', message: 'Something is not as it should be here.' }],
          },
        },
      ),
      { columns: 40 },
    )
    for (const line of rendered.split('\n')) expect(measureWidth(line)).toBeLessThanOrEqual(40)
  })
})

test('without columns nothing is wrapped', () => {
  expect(renderTerminal(ok([text('word '.repeat(100).trim())])).split('\n')).toHaveLength(1)
})

describe('if something is cut', () => {
  test('the note says how to see it', () => {
    const options = { maxLines: 1, hints: { cut: 'shown with --lines all' } }
    expect(renderTerminal(ok([text('a\nb\nc')]), options)).toBe(
      'a\n… 2 more lines (shown with --lines all)',
    )
  })

  test('with no limit of lines nothing is: names, facts, summaries, entries and cells neither', () => {
    const long = 'n'.repeat(500)
    const link: ContentBlock = { type: 'resource_link', uri: 'x:y', name: long, description: long }
    const list = { path: '/', entries: [{ name: long, type: 'file' }] }
    const all = { maxLines: Infinity }
    expect(renderTerminal(ok([link]), all)).toContain(`${long}  link, not read · x:y · ${long}`)
    expect(
      renderTerminal(ok([], { structuredContent: { kind: 'file_list', data: list } }), all),
    ).toContain(long)
    expect(renderTerminal(table(['a'], long), all)).toContain(long)
    const value = { kind: 'git.status', summary: long, data: 1 }
    expect(renderTerminal(ok([], { structuredContent: value }), all)).toContain(long)
  })
})

test('the end of a block can be shown instead of more of its beginning', () => {
  const options = { maxLines: 3, lastLines: 1 }
  expect(renderTerminal(ok([text('a\nb\nc\nd\ne')]), options)).toBe('a\nb\n… 2 more lines\ne')
  expect(renderTerminal(ok([text('a\nb\nc')]), options)).toBe('a\nb\nc')
})

test('the end of a block is sanitized as its beginning is', () => {
  const options = { maxLines: 2, lastLines: 1, colors: 'ansi' } as const
  expect(renderTerminal(ok([text('a\nb\nc\nd\u001B[2J\u202E')]), options)).toBe(
    'a\n\u001B[2m… 2 more lines\u001B[22m\nd\uFFFD',
  )
})

describe('a warning', () => {
  const warned = (problem: object): string =>
    renderTerminal(
      ok([text('a')], { metadata: { warnings: [{ path: '/x', message: 'Wrong.', ...problem }] } }),
    )

  test('names the expected and the received value', () => {
    expect(warned({ expected: 'a string', got: 'number 3' })).toBe(
      'a\n! /x Wrong. (expected a string, got number 3)',
    )
  })

  test('repeats nothing', () => {
    expect(
      warned({ message: 'expected string, got number 3', expected: 'string', got: 'number 3' }),
    ).toBe('a\n! /x expected string, got number 3')
  })
})

describe('standard error of a success', () => {
  const success = ok([text('a')], { metadata: { stderr: 'one\n\u001B[2Jtwo\n' } })

  test('is mentioned', () => {
    expect(renderTerminal(success)).toBe('a\n(2 lines on standard error)')
    expect(renderTerminal(success, { hints: { stderr: 'shown with --verbose' } })).toBe(
      'a\n(2 lines on standard error; shown with --verbose)',
    )
  })

  test('is shown dimmed after a gutter if it is requested', () => {
    expect(renderTerminal(success, { stderr: 'show' })).toBe(
      'a\n\n2 lines on standard error:\n│ one\n│ two',
    )
    expect(renderTerminal(success, { stderr: 'show', colors: 'ansi' })).toContain('\u001B[2mtwo')
  })
})

test('the parts of a result can be written to different places', () => {
  const failed = ok([text('said')], {
    isError: true,
    metadata: { outcome: 'timeout', warnings: [{ path: '', message: 'Odd.' }] },
  })
  expect(renderTerminalParts(failed)).toEqual({
    failure: '✗ timed out',
    answer: 'said',
    remarks: '! Odd.',
  })
})

describe('renderArguments', () => {
  test('shows each completely under its name: long, of several lines, nested', () => {
    const long = 'x'.repeat(900)
    const rendered = renderArguments({
      path: 'a.txt',
      body: 'one\ntwo',
      long,
      deep: { a: { b: [1] } },
    })
    expect(rendered).toBe(
      [
        'path: a.txt',
        'body:',
        '│ one',
        '│ two',
        `long: ${long}`,
        'deep:',
        '│ {',
        '│   "a": {',
        '│     "b": [',
        '│       1',
        '│     ]',
        '│   }',
        '│ }',
      ].join('\n'),
    )
  })

  test('a long one wraps, under its name', () => {
    expect(renderArguments({ command: 'rm -rf one two three', force: true }, { columns: 20 })).toBe(
      'command: rm -rf one\n  two three\nforce: true',
    )
  })

  test('ambiguous text is quoted', () => {
    expect(renderArguments({ a: '3', b: 3, c: '', d: 'true', e: ' x' })).toBe(
      'a: "3"\nb: 3\nc: ""\nd: "true"\ne: " x"',
    )
  })

  test('no argument hides text or controls the terminal, by name or by value', () => {
    const rendered = renderArguments({ 'a\u001B[2J\nb': 'x\u202Ey', deep: ['\u200B'] })
    expect(rendered).toBe('a\\u{1B}[2J⏎b: x\\u{202E}y\ndeep:\n│ [\n│   "\\u200b"\n│ ]')
  })

  test('a call without arguments says so', () => {
    expect(renderArguments({})).toBe('(no arguments)')
  })
})
