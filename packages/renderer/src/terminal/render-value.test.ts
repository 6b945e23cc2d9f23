import type { ContentBlock, ToolResult } from '@toolblocks/protocol'
import { describe, expect, test } from 'vitest'
import { renderTerminal } from './render-terminal.ts'

const show = (structuredContent: unknown, more: Partial<ToolResult> = {}): string =>
  renderTerminal({ content: [], isError: false, structuredContent, ...more }, { root: '/home/ada' })
const text = (content: string): ContentBlock => ({ type: 'text', text: content })

describe('a semantic value', () => {
  test('of text shows its summary and its text', () => {
    expect(show({ kind: 'text', summary: 'All good', data: { content: 'a\nb\n' } })).toBe(
      'All good\na\nb',
    )
  })

  test('does not repeat a text of a block, but shows its summary', () => {
    const value = { kind: 'text', summary: 'All good', data: { content: 'a\n' } }
    expect(show(value, { content: [text('a')] })).toBe('a\nAll good')
    expect(show(value, { content: [text('a'), text('All good')] })).toBe('a\nAll good')
  })

  test('replaces text that is only its JSON', () => {
    const value = { kind: 'text', data: { content: 'a' } }
    expect(show(value, { content: [text(JSON.stringify(value))] })).toBe('a')
  })

  test('of a file shows path, size and content', () => {
    const data = { path: '/home/ada/src/a.ts', content: 'one\ntwo\n', size: 8 }
    expect(show({ kind: 'file_content', data })).toBe('src/a.ts  8 bytes\n│ one\n│ two')
  })

  test('of a file whose text a resource shows, or whose bytes are base64, shows path and size', () => {
    const data = { path: '/etc/a', content: 'one\n', size: 4 }
    const content: ContentBlock[] = [{ type: 'resource', resource: { uri: 'a:b', text: 'one\n' } }]
    expect(show({ kind: 'file_content', data }, { content })).toBe(
      'a:b  4 bytes\n│ one\n\n/etc/a  4 bytes',
    )
    expect(show({ kind: 'file_content', data: { ...data, encoding: 'base64' } })).toBe(
      '/etc/a  4 bytes · base64',
    )
  })

  test('of files shows a line each', () => {
    const entries = [
      { name: 'src', type: 'directory' },
      { name: '漢字.md', type: 'file', size: 1234 },
      { name: 'latest', type: 'symlink' },
      { name: 'a.ts', size: 1 },
    ]
    expect(show({ kind: 'file_list', data: { path: '/home/ada', entries, truncated: true } })).toBe(
      [
        '.  4 entries · not all there are',
        '  src/',
        '  漢字.md  1.2 KB',
        '  latest@',
        '  a.ts     1 byte',
      ].join('\n'),
    )
  })

  test('of more files than lines counts the others', () => {
    const entries = Array.from({ length: 42 }, (_, index) => ({ name: `f${index}` }))
    expect(show({ kind: 'file_list', data: { path: 'x', entries } })).toMatch(
      /^x {2}42 entries\n(?: {2}f\d+\n){40}… 2 more entries$/,
    )
    expect(show({ kind: 'file_list', data: { path: 'x', entries: [] } })).toBe('x  0 entries')
  })

  test('of a picture is one line', () => {
    const data = { alt: 'A map', base64: 'iVBORw0KGgo=', url: 'https://example.com/map.png' }
    expect(show({ kind: 'image', data, mimeType: 'image/png' })).toBe(
      'image  A map · image/png · 8 bytes · https://example.com/map.png',
    )
  })

  test('of no particular kind shows JSON', () => {
    expect(show({ kind: 'structured', data: { a: 1 } })).toBe('{\n  "a": 1\n}')
    expect(show({ kind: 'json', data: [1] })).toBe('[\n  1\n]')
  })

  test('of a kind of its own shows its summary, else its kind, and JSON', () => {
    expect(show({ kind: 'git.status', summary: 'clean', data: { ahead: 1 } })).toBe(
      'clean\n{\n  "ahead": 1\n}',
    )
    expect(show({ kind: 'git.status', data: { ahead: 1 } })).toBe('git.status\n{\n  "ahead": 1\n}')
  })

  test('is not read from an object that only has a kind', () => {
    const pod = { kind: 'pod', summary: { ready: 1 } }
    expect(show(pod)).toBe(JSON.stringify(pod, null, 2))
    expect(show(pod, { content: [text(JSON.stringify(pod))] })).toBe(JSON.stringify(pod))
  })

  test('shows JSON if it asks for it', () => {
    const value = { kind: 'text', data: { content: 'a' }, display: { preferredView: 'raw' } }
    expect(show(value)).toBe('text\n{\n  "content": "a"\n}')
  })
})

describe('a hidden value', () => {
  const value = { kind: 'git.status', data: { secret: 1 }, display: { preferredView: 'hidden' } }

  test('is named, not shown', () => {
    expect(show(value)).toBe('(git.status: hidden, as the tool asks)')
    expect(show(value, { content: [text('done'), text(JSON.stringify(value))] })).toBe(
      '(git.status: hidden, as the tool asks)',
    )
  })

  test('is shown if a person must approve it', () => {
    const result = { content: [], isError: false, structuredContent: value }
    expect(renderTerminal(result, { hiddenValues: 'show' })).toBe('git.status\n{\n  "secret": 1\n}')
  })

  test('is shown if it is an error', () => {
    expect(show(value, { isError: true })).toBe('✗ failed\ngit.status\n{\n  "secret": 1\n}')
  })
})

describe('a table', () => {
  const columns = [
    { key: 'name', label: 'Name' },
    { key: 'stars', type: 'number' },
    { key: 'on', align: 'center' },
  ]

  test('has columns as wide as the widest cell, numbers at the right', () => {
    const rows = [
      { name: 'toolblocks', stars: 12, on: true },
      { name: '漢字', stars: 3 },
      { name: null, stars: { a: 1 } },
    ]
    expect(show({ kind: 'table', data: { columns, rows } })).toBe(
      [
        'Name          stars   on',
        '──────────  ───────  ────',
        'toolblocks       12  true',
        '漢字              3',
        '            {"a":1}',
      ].join('\n'),
    )
  })

  test('cuts wide cells, and counts omitted rows and columns', () => {
    const many = Array.from({ length: 31 }, (_, index) => ({ key: `k${index}` }))
    const rows = Array.from({ length: 41 }, () => ({ k0: 'x'.repeat(50) }))
    const lines = show({ kind: 'table', data: { columns: many, rows } }).split('\n')
    expect(lines[2]?.split('  ')[0]).toBe(`${'x'.repeat(39)}…`)
    expect(lines.slice(-2)).toEqual(['… 1 more row', '… 1 more column'])
  })

  test('says that it is empty', () => {
    expect(show({ kind: 'table', data: { columns: [], rows: [] } })).toBe('(no columns)\n(no rows)')
    expect(show({ kind: 'table', data: { columns: [{ key: 'a' }], rows: [] } })).toBe(
      'a\n─\n(no rows)',
    )
  })

  test('reads own fields of a row only', () => {
    const data = { columns: [{ key: 'toString' }], rows: [{}] }
    expect(show({ kind: 'table', data })).toBe('toString\n────────\n')
    const inherited = { columns: [{ key: '__proto__' }], rows: [{}] }
    expect(show({ kind: 'table', data: inherited })).toBe('__proto__\n─────────\n')
  })
})

describe('a diff', () => {
  const diff = (data: object): string =>
    show({ kind: 'diff', data: { path: '/home/ada/a.ts', ...data } })

  test('shows the changes and their number', () => {
    expect(diff({ original: 'a\nb\nc\n', modified: 'a\nB\nc\n', isNew: false })).toBe(
      ['a.ts  changed · +1 −1', '│ 1 1  a', '│ 2   -b', '│   2 +B', '│ 3 3  c'].join('\n'),
    )
  })

  test('shows its own hunks, each line as one line', () => {
    const hunks = [
      {
        oldStart: 7,
        oldLines: 1,
        newStart: 7,
        newLines: 1,
        lines: ['-a\n+forged', '+b', 'c', '\\ No newline'],
      },
    ]
    expect(diff({ original: 'x', modified: 'y', isNew: false, hunks })).toBe(
      [
        'a.ts  changed · +1 −1',
        '│ 7   -a⏎+forged',
        '│   7 +b',
        '│ 8 8  c',
        '│     \\ No newline',
      ].join('\n'),
    )
  })

  test('of a new file shows its lines', () => {
    expect(diff({ modified: 'a\n', isNew: true })).toBe('a.ts  new · +1 −0\n│   1 +a')
  })

  test('says that nothing changed, or only the end', () => {
    expect(diff({ original: 'a', modified: 'a', isNew: false })).toBe('a.ts  changed · no changes')
    expect(diff({ original: 'a', modified: 'a\n', isNew: false })).toBe(
      'a.ts  changed · only the line feed at its end',
    )
  })

  test('with an unknown original shows the new text', () => {
    expect(diff({ modified: 'a\n', isNew: false })).toBe('a.ts  changed · original unknown\n│ a')
  })

  test('is in colours', () => {
    const data = { path: 'a', original: 'a\n', modified: 'b\n', isNew: false }
    const result: ToolResult = {
      content: [],
      isError: false,
      structuredContent: { kind: 'diff', data },
    }
    const rendered = renderTerminal(result, { colors: 'ansi' })
    expect(rendered).toContain('\u001B[31m-a\u001B[39m')
    expect(rendered).toContain('\u001B[32m+b\u001B[39m')
  })
})
