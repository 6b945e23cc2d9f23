import type { Tokens } from 'marked'
import { describe, expect, test } from 'vitest'
import type { MarkdownBlock, MarkdownInline } from '../show/content-readers.ts'
import { createMarkdownReader, readInline } from './read-markdown.ts'

const read = createMarkdownReader((code, language) =>
  language === 'ts' ? [{ text: code, role: 'keyword' }] : undefined,
)

const text = (content: string): MarkdownInline => ({ kind: 'text', text: content })
const paragraph = (...content: MarkdownInline[]): MarkdownBlock => ({ kind: 'paragraph', content })
const [a, b, c] = [text('a'), text('b'), text('c')]

describe('inline Markdown', () => {
  test.for<[string, MarkdownInline[]]>([
    ['**a**', [{ kind: 'strong', content: [a] }]],
    ['*a*', [{ kind: 'emphasis', content: [a] }]],
    ['~~a~~', [{ kind: 'deleted', content: [a] }]],
    ['`a *b*`', [{ kind: 'code', text: 'a *b*' }]],
    ['a  \nb', [a, { kind: 'break' }, b]],
    ['a\nb', [text('a\nb')]],
    [
      '[*a*b](https://c "title")',
      [{ kind: 'link', uri: 'https://c', content: [{ kind: 'emphasis', content: [a] }, b] }],
    ],
    ['[](x)', [{ kind: 'link', uri: 'x', content: [] }]],
    [
      'https://a.example',
      [{ kind: 'link', uri: 'https://a.example', content: [text('https://a.example')] }],
    ],
    ['![a](https://c)', [{ kind: 'image', uri: 'https://c', text: 'a' }]],
    ['![](x)', [{ kind: 'image', uri: 'x', text: '' }]],
    ['\\*', [text('*')]],
    ['a<br>b', [a, text('<br>'), b]],
    ['Map&lt;A&gt; &amp; it&#8217;s &#x1F600;', [text('Map<A> & it’s 😀')]],
    [
      '&lt &none; \\&lt; `&lt;`',
      [text('&lt &none; '), text('&'), text('lt; '), { kind: 'code', text: '&lt;' }],
    ],
    ['[a](b?c&amp;d)', [{ kind: 'link', uri: 'b?c&d', content: [a] }]],
    ['![a&lt;](b&amp;c)', [{ kind: 'image', uri: 'b&c', text: 'a<' }]],
  ])('%j', ([source, content]) => {
    expect(read(source)).toEqual([paragraph(...content)])
  })
})

describe('blocks of Markdown', () => {
  test.for<[string, MarkdownBlock[]]>([
    ['', []],
    ['\n\n', []],
    ['a\n\nb', [paragraph(a), paragraph(b)]],
    ['### a', [{ kind: 'heading', level: 3, content: [a] }]],
    ['a\n===', [{ kind: 'heading', level: 1, content: [a] }]],
    ['***', [{ kind: 'rule' }]],
    ['> a\n>\n> b', [{ kind: 'quote', blocks: [paragraph(a), paragraph(b)] }]],
    [
      '- a\n  - b\n- c',
      [
        {
          kind: 'list',
          items: [
            { blocks: [paragraph(a), { kind: 'list', items: [{ blocks: [paragraph(b)] }] }] },
            { blocks: [paragraph(c)] },
          ],
        },
      ],
    ],
    ['3. a', [{ kind: 'list', start: 3, items: [{ blocks: [paragraph(a)] }] }]],
    [
      '- [ ] a\n- [x] b\n\n  c',
      [
        {
          kind: 'list',
          items: [
            { isDone: false, blocks: [paragraph(a)] },
            { isDone: true, blocks: [paragraph(b), paragraph(c)] },
          ],
        },
      ],
    ],
    ['[a]: b\n\n[a]', [paragraph({ kind: 'link', uri: 'b', content: [a] })]],
    [
      '```ts  x\na\n```',
      [{ kind: 'code', text: 'a', language: 'ts', tokens: [{ text: 'a', role: 'keyword' }] }],
    ],
    ['```py\na\n```', [{ kind: 'code', text: 'a', language: 'py' }]],
    ['```\na\n```', [{ kind: 'code', text: 'a' }]],
    ['    a', [{ kind: 'code', text: 'a' }]],
    [
      '|a|b|c|\n|:-:|--:|---|\n|a|b|c|',
      [
        {
          kind: 'table',
          columns: [
            { align: 'center', content: [a] },
            { align: 'right', content: [b] },
            { align: 'left', content: [c] },
          ],
          rows: [[[a], [b], [c]]],
        },
      ],
    ],
    ['<div>\n\na', [paragraph(text('<div>')), paragraph(a)]],
  ])('%j', ([source, blocks]) => {
    expect(read(source)).toStrictEqual(blocks)
  })
})

test('blocks are read to a depth of thirteen levels; deeper blocks are text', () => {
  const quoted = (levels: number, inner: MarkdownBlock): readonly MarkdownBlock[] =>
    levels === 0 ? [inner] : [{ kind: 'quote', blocks: quoted(levels - 1, inner) }]
  expect(read(`${'> '.repeat(13)}a`)).toEqual(quoted(13, paragraph(a)))
  expect(read(`${'> '.repeat(14)}a`)).toEqual(quoted(13, paragraph(text('> a'))))
})

test('at most fifty thousand characters are read', () => {
  expect(read('a'.repeat(50_000))).toEqual([paragraph(text('a'.repeat(50_000)))])
  expect(read('a'.repeat(50_001))).toBeUndefined()
})

/** Strong text, nested this deep. */
function nested(levels: number): Tokens.Generic {
  const raw = `${'*'.repeat(levels)}a`
  return levels === 0
    ? { type: 'text', raw, text: raw }
    : { type: 'strong', raw, tokens: [nested(levels - 1)] }
}

function strong(levels: number, content: string): MarkdownInline {
  return levels === 0
    ? { kind: 'text', text: content }
    : { kind: 'strong', content: [strong(levels - 1, content)] }
}

test('inline parts are read to a depth of thirteen levels; deeper parts are text', () => {
  expect(readInline([nested(12)])).toEqual([strong(12, 'a')])
  expect(readInline([nested(13)])).toEqual([strong(13, 'a')])
  expect(readInline([nested(15)])).toEqual([strong(13, '**a')])
})

test('parts without text, address or pieces are read as plain text', () => {
  expect(readInline()).toEqual([])
  expect(
    readInline([
      { type: 'codespan', raw: '`a`' },
      { type: 'link', raw: '[]', tokens: [] },
      { type: 'image', raw: '![]' },
      { type: 'checkbox', raw: '[x] ', text: '[x] ' },
      { type: 'html', raw: '<b>', text: '' },
      { type: 'text', raw: 'a', text: 'a', tokens: [{ type: 'text', raw: 'b', text: 'b' }] },
    ]),
  ).toEqual([
    { kind: 'code', text: '`a`' },
    { kind: 'link', uri: '', content: [] },
    { kind: 'image', uri: '', text: '![]' },
    { kind: 'text', text: '<b>' },
    { kind: 'text', text: 'b' },
  ])
})
