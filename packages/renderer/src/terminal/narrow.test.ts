import { describe, expect, test } from 'vitest'
import { widthOf } from '../compose/compose-terminal.ts'
import type { ShownNode, ShownPart } from '../show/shown-part.ts'
import { writtenPart } from './written.suite.ts'

const uncut = { first: 'a', left: 0, last: '' }
const nodes = (...inner: ShownNode[]): Pick<ShownNode, 'nodes' | 'left'> => ({
  nodes: inner,
  left: 0,
})

describe('in twenty columns', () => {
  const words = 'one two three four five'
  const named = { kind: 'facts', name: words, facts: [] } as const
  test.for<[string, ShownPart, readonly string[]]>([
    ['a heading', { kind: 'heading', text: words }, ['one two three four', 'five']],
    ['a name', named, ['one two three four', '  five']],
    ['text', { kind: 'text', ...uncut, first: words }, ['one two three four', 'five']],
    ['code', { kind: 'code', ...uncut, first: words }, ['│ one two three four', '│ five']],
    [
      'a diff',
      { kind: 'diff', first: [{ change: 'added', text: words, after: 10 }], left: 0, last: [] },
      ['│    10 +one two', '│        three four', '│        five'],
    ],
    [
      'a tree',
      {
        kind: 'tree',
        top: {
          type: 'object',
          text: '',
          ...nodes(
            { key: 'a', type: 'string', text: words, ...nodes() },
            { key: 'b', type: 'string', text: words, ...nodes() },
          ),
        },
      },
      ['├ a: one two three', '│   four five', '└ b: one two three', '    four five'],
    ],
    [
      'entries',
      { kind: 'entries', entries: [{ name: words }], left: 0 },
      ['  one two three four', '    five'],
    ],
    [
      'entries whose names take half of them',
      {
        kind: 'entries',
        entries: [
          { name: 'a'.repeat(12), size: 1 },
          { name: 'b', size: 1 },
        ],
        left: 0,
      },
      ['  aaaaaaaaaaaa  1', '    byte', '  b           1 byte'],
    ],
    [
      'a question',
      {
        kind: 'question',
        id: 'q',
        isLine: true,
        ...uncut,
        first: words,
        url: 'https://a.example/b',
      },
      ['? one two three four', '  five (q)', '  answered at https:', '    //a.example/b'],
    ],
    [
      'an argument',
      { kind: 'argument', name: 'a', text: words },
      ['a: one two three', '  four five'],
    ],
    [
      'an argument of several lines',
      { kind: 'argument', name: words, text: `${words}\n` },
      ['one two three four', 'five:', '│ one two three four', '│ five'],
    ],
    ['words of the renderer', { kind: 'notice', text: words }, ['one two three four', 'five']],
    [
      'a failure',
      { kind: 'failure', text: words, transient: false },
      ['✗ one two three four', '  five'],
    ],
    [
      'a cause',
      { kind: 'cause', ...uncut, first: 'one two three' },
      ['caused by: one two', '           three'],
    ],
    [
      'a warning',
      { kind: 'warning', path: '', message: words, facts: [] },
      ['! one two three four', '  five'],
    ],
    [
      'standard error by its lines',
      { kind: 'stderr', lines: 12 },
      ['(12 lines on', 'standard error)'],
    ],
    [
      'standard error',
      { kind: 'stderr', lines: 12, text: { ...uncut, first: words } },
      ['12 lines on standard', 'error:', '│ one two three four', '│ five'],
    ],
    [
      'a fold',
      { kind: 'fold', summary: words, parts: [] },
      ['▸ one two three four', '  five (folded, as', '  the tool asks)'],
    ],
  ])('%s wraps, and its further rows stand below it', ([, part, rows]) => {
    const shown = writtenPart(part, { columns: 20 }).split('\n')
    expect(shown).toEqual(rows)
    for (const row of shown) expect(widthOf(row)).toBeLessThanOrEqual(20)
  })

  test('fewer are as good as twenty', () => {
    expect(writtenPart(named, { columns: 3 })).toBe(writtenPart(named, { columns: 20 }))
  })

  test('what is left out is said in as many rows as it needs', () => {
    const options = { columns: 20, hints: { cut: 'shown with --all' } }
    expect(writtenPart({ kind: 'left', count: 1, unit: 'row' }, options)).toBe(
      '… 1 more row (shown\nwith --all)',
    )
  })
})

describe('a name of an entry', () => {
  const sizeAt = (name: string): number =>
    writtenPart({
      kind: 'entries',
      entries: [
        { name, size: 1 },
        { name: 'b', size: 1 },
      ],
      left: 0,
    })
      .split('\n')[1]
      ?.indexOf('1 byte') ?? -1

  test('moves the sizes of the others up to forty columns, not further', () => {
    expect(sizeAt('a'.repeat(39))).toBe(2 + 39 + 2)
    expect(sizeAt('a'.repeat(40))).toBe(2 + 40 + 2)
    expect(sizeAt('a'.repeat(41))).toBe(2 + 40 + 2)
  })
})
