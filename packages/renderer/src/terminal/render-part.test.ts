import type { TerminalText } from '@toolblocks/protocol'
import { describe, expect, test } from 'vitest'
import { sanitizeTerminalText } from '../sanitize/sanitize-terminal-text.ts'
import type { ShownNode, ShownPart } from '../show/shown-part.ts'
import { writtenPart } from './written.support.ts'

const cut = { first: 'a', left: 2, last: 'b' }
const uncut = { first: 'a', left: 0, last: '' }
const empty: ShownPart = { kind: 'empty' }

const nodes = (...inner: ShownNode[]): Pick<ShownNode, 'nodes' | 'left'> => ({
  nodes: inner,
  left: 0,
})

const tree: ShownPart = {
  kind: 'tree',
  top: {
    type: 'object',
    text: '1 field',
    ...nodes({
      key: 'a',
      type: 'object',
      text: '4 fields',
      left: 1,
      nodes: [
        {
          key: 'b',
          type: 'array',
          text: '4 items',
          ...nodes(
            { key: '0', type: 'string', text: 's', ...nodes() },
            { key: '1', type: 'null', text: 'null', ...nodes() },
            { key: '2', type: 'boolean', text: 'true', ...nodes() },
            { key: '3', type: 'other', text: '(x)', ...nodes() },
          ),
        },
        { key: 'c', type: 'object', text: '3 fields', nodes: [], left: 3 },
        { key: 'd', type: 'number', text: '1', ...nodes() },
      ],
    }),
  },
}

describe('in colours', () => {
  const how = { cut: 'HOW', stderr: 'ERR' }
  test.for<[string, ShownPart, string]>([
    ['a heading', { kind: 'heading', text: 'a' }, '{1}a{22}'],
    ['a name', { kind: 'facts', name: 'a', facts: [] }, '{1}a{22}'],
    [
      'a name with facts',
      { kind: 'facts', name: 'a', facts: ['b', 'c'] },
      '{1}a{22}  {2}b · c{22}',
    ],
    [
      'a link',
      { kind: 'link', name: 'a', uri: 'https://a.example/', facts: ['b'] },
      '{link https://a.example/}{1}a{22}{/link}  {2}b{22}',
    ],
    ['text', { kind: 'text', ...uncut }, 'a'],
    ['text without its middle', { kind: 'text', ...cut }, 'a\n{2}… 2 more lines (HOW){22}\nb'],
    ['code', { kind: 'code', ...uncut }, '{2}│ {22}a'],
    [
      'code in its pieces, without its middle',
      {
        kind: 'code',
        first: 'pksncNtPmar',
        left: 1234,
        last: 'z',
        tokens: {
          first: [
            { text: 'p', role: 'plain' },
            { text: 'k', role: 'keyword' },
            { text: 's', role: 'string' },
            { text: 'n', role: 'number' },
            { text: 'c', role: 'comment' },
            { text: 'N', role: 'name' },
            { text: 't', role: 'type' },
            { text: 'P', role: 'property' },
            { text: 'm', role: 'meta' },
            { text: 'a', role: 'added' },
            { text: 'r', role: 'removed' },
          ],
          last: [{ text: 'z', role: 'string' }],
        },
      },
      '{2}│ {22}p{35}k{39}{32}s{39}{33}n{39}{2}c{22}{34}N{39}{36}t{39}P{2}m{22}{32}a{39}{31}r{39}\n{2}… 1,234 more lines (HOW){22}\n{2}│ {22}{32}z{39}',
    ],
    ['a file without content', empty, '{2}  (empty){22}'],
    [
      'a diff, with the words that differ, unless something was taken out of the line',
      {
        kind: 'diff',
        first: [
          { change: 'hunk', text: '@@' },
          { change: 'kept', text: 'k', before: 9, after: 10 },
          { change: 'removed', text: 'ab', before: 2, marks: [[0, 1]] },
          { change: 'added', text: 'xcbz', after: 2, marks: [[1, 2]] },
          { change: 'hunk', text: '@@' },
          { change: 'note', text: 'n' },
          { change: 'removed', text: 'a\u001B[1mb', before: 3, marks: [[0, 1]] },
        ],
        left: 3,
        last: [{ change: 'added', text: 'z', after: 9 }],
      },
      [
        '{2}│ {22}{2} 9 10 {22} k',
        '{2}│ {22}{2} 2    {22}{31}-{39}{31}{7}a{27}{39}{31}b{39}',
        '{2}│ {22}{2}    2 {22}{32}+{39}{32}x{39}{32}{7}c{27}{39}{32}bz{39}',
        '{2}│ {22}{2}⋯{22}',
        '{2}│ {22}{2}      {22}{2}n{22}',
        '{2}│ {22}{2} 3    {22}{31}-ab{39}',
        '{2}… 3 more lines (HOW){22}',
        '{2}│ {22}{2}    9 {22}{32}+z{39}',
      ].join('\n'),
    ],
    [
      'a table',
      {
        kind: 'table',
        columns: [
          { label: 'n', align: 'right', type: 'number' },
          { label: 'p', align: 'left', type: 'url' },
          { label: 'q', align: 'center' },
        ],
        rows: [['1', 'https://a.example/', 'abc']],
        left: { rows: 1, columns: 2 },
      },
      [
        '{1}n{22}  {1}p                 {22}  {1} q {22}',
        '{2}─{22}  {2}──────────────────{22}  {2}───{22}',
        '1  {link https://a.example/}https://a.example/{/link}  abc',
        '{2}… 1 more row (HOW){22}',
        '{2}… 2 more columns (HOW){22}',
      ].join('\n'),
    ],
    [
      'a table of nothing',
      { kind: 'table', columns: [], rows: [], left: { rows: 0, columns: 0 } },
      '{2}(no columns){22}\n{2}(no rows){22}',
    ],
    [
      'a table whose rows are left out',
      {
        kind: 'table',
        columns: [{ label: 'n', align: 'left' }],
        rows: [],
        left: { rows: 1, columns: 0 },
      },
      '{1}n{22}\n{2}─{22}\n{2}… 1 more row (HOW){22}',
    ],
    [
      'a tree',
      tree,
      [
        '{2}└ {22}{36}a: {39}{2}(4 fields){22}',
        '{2}  ├ {22}{36}b: {39}{2}(4 items){22}',
        '{2}  │ ├ {22}{36}0: {39}{32}s{39}',
        '{2}  │ ├ {22}{36}1: {39}{2}null{22}',
        '{2}  │ ├ {22}{36}2: {39}{33}true{39}',
        '{2}  │ └ {22}{36}3: {39}{2}(x){22}',
        '{2}  ├ {22}{36}c: {39}{2}(3 fields){22}',
        '{2}  ├ {22}{36}d: {39}{33}1{39}',
        '{2}  └ {22}{2}… 1 more (HOW){22}',
      ].join('\n'),
    ],
    [
      'a tree of one value',
      { kind: 'tree', top: { type: 'string', text: 's', ...nodes() } },
      '{32}s{39}',
    ],
    [
      'a tree of which nothing is shown',
      { kind: 'tree', top: { type: 'object', text: '2 fields', nodes: [], left: 2 } },
      '{2}└ {22}{2}… 2 more{22}',
    ],
    [
      'entries',
      {
        kind: 'entries',
        entries: [
          { name: 'a', type: 'directory' },
          { name: 'b', type: 'symlink', modified: '2026-03-01T09:30:00Z' },
          { name: 'ccc', type: 'file', size: 1, modified: 'x' },
          { name: 'd', size: 1000 },
        ],
        left: 1,
      },
      [
        '  {36}a/{39}',
        '  b@   {2}      {22}  {2}2026-03-01 09:30 UTC{22}',
        '  ccc  {2}1 byte{22}  {2}x{22}',
        '  d    {2}1.0 KB{22}',
        '{2}… 1 more entry (HOW){22}',
      ].join('\n'),
    ],
    [
      'a question',
      { kind: 'question', id: 'q', isLine: true, ...uncut },
      '{33}?{39} {1}a{22} {2}(q){22}',
    ],
    [
      'a question without its middle, answered elsewhere',
      { kind: 'question', id: 'q', isLine: false, url: 'https://a.example/', ...cut },
      '{33}?{39} {1}Question{22} {2}(q){22}\n{2}│ {22}a\n{2}… 2 more lines (HOW){22}\n{2}│ {22}b\n{2}  answered at {22}{36}https://a.example/{39}',
    ],
    ['an argument', { kind: 'argument', name: 'a', text: 'b' }, '{1}a{22}: b'],
    [
      'an argument of several lines',
      { kind: 'argument', name: 'a', text: 'b\nc\n' },
      '{1}a{22}:\n{2}│ {22}b\n{2}│ {22}c',
    ],
    ['words of the renderer', { kind: 'notice', text: 'a' }, '{2}a{22}'],
    ['a failure', { kind: 'failure', text: 'a', transient: false }, '{31}✗ a{39}'],
    [
      'a failure that may pass',
      { kind: 'failure', text: 'a', transient: true },
      '{31}✗ a{39}  {2}trying again may help{22}',
    ],
    [
      'a cause',
      { kind: 'cause', first: 'a\nb', left: 0, last: '' },
      '{2}caused by: {22}a\n           b',
    ],
    ['a warning', { kind: 'warning', path: '', message: 'm', facts: [] }, '{33}!{39} m'],
    [
      'a warning with its place and facts',
      { kind: 'warning', path: '/p', message: 'm', facts: ['b', 'c'] },
      '{33}!{39} {2}/p{22} m {2}(b, c){22}',
    ],
    [
      'standard error by its lines',
      { kind: 'stderr', lines: 1 },
      '{2}(1 line on standard error; ERR){22}',
    ],
    [
      'standard error',
      { kind: 'stderr', lines: 2, text: { first: 'a\nb', left: 0, last: '' } },
      '{2}2 lines on standard error:{22}\n{2}│ {22}{2}a{22}\n{2}│ {22}{2}b{22}',
    ],
    ['one that is left out', { kind: 'left', count: 1, unit: 'row' }, '{2}… 1 more row (HOW){22}'],
    [
      'several that are left out',
      { kind: 'left', count: 2, unit: 'entry' },
      '{2}… 2 more entries (HOW){22}',
    ],
    [
      'a group, without what says nothing',
      {
        kind: 'group',
        parts: [empty, { kind: 'text', ...uncut, first: '' }, { kind: 'notice', text: 'a' }],
      },
      '{2}  (empty){22}\n{2}a{22}',
    ],
    [
      'a fold',
      { kind: 'fold', summary: 's', parts: [empty] },
      '{2}▸{22} {1}s{22} {2}(folded, as the tool asks; HOW){22}',
    ],
  ])('%s', ([, part, text]) => {
    expect(writtenPart(part, { colors: 'ansi', links: 'osc8', hints: how })).toBe(text)
    const plain = text.replaceAll(/\{[^}]*\}/g, '')
    const trimmed = (rows: string): string => rows.replaceAll(/ +$/gm, '')
    expect(trimmed(writtenPart(part, { hints: how }))).toBe(trimmed(plain))
  })

  test('no hint is shown if there is none', () => {
    expect(writtenPart({ kind: 'left', count: 1, unit: 'row' })).toBe('… 1 more row')
    expect(writtenPart({ kind: 'stderr', lines: 1 })).toBe('(1 line on standard error)')
    expect(writtenPart({ kind: 'fold', summary: 's', parts: [] })).toBe(
      '▸ s (folded, as the tool asks)',
    )
    expect(writtenPart(tree)).toMatch(/└ … 1 more$/)
  })
})

describe('a picture', () => {
  const picture = { kind: 'media', media: 'image', name: 'a', facts: ['b'] } as const
  const images = (
    { base64, mimeType }: { base64: string; mimeType: string | undefined },
    { columns, rows }: { columns: number; rows: number },
  ): TerminalText | undefined =>
    base64 === 'BAD' ? undefined : sanitizeTerminalText(`${base64} ${mimeType} ${columns}x${rows}`)

  test('is below its line, in the available space, at most 60 columns and 20 rows', () => {
    const part = { ...picture, base64: 'AAAA', mimeType: 'image/png' }
    expect(writtenPart(part, { images })).toBe('a  b\nAAAA image/png 60x20')
    expect(writtenPart(part, { images, columns: 30 })).toBe('a  b\nAAAA image/png 30x20')
  })

  test('is only its line if the terminal cannot show it, it has no bytes, or it is invalid', () => {
    expect(writtenPart({ ...picture, base64: 'BAD' }, { images })).toBe('a  b')
    expect(writtenPart({ ...picture, base64: 'AAAA' })).toBe('a  b')
    expect(writtenPart(picture, { images })).toBe('a  b')
    expect(writtenPart({ ...picture, media: 'file', base64: 'AAAA' }, { images })).toBe('a  b')
  })
})
