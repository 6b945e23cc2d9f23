import { expect, test } from 'vitest'
import type { MarkdownBlock, MarkdownInline } from '../show/content-readers.ts'
import { renderHtmlPart as renderPart } from './html-writer.ts'

const written = (blocks: readonly MarkdownBlock[], left = 0): string =>
  renderPart(
    { kind: 'markdown', blocks, left },
    { diffs: 'unified', media: 'inline', tallText: 'scroll' },
  )
const markdown = (inner: string): string => `<div class="tb-markdown">${inner}</div>`
const link = (name: string): string =>
  `<a href="https://a.example/" rel="noopener noreferrer nofollow" target="_blank">${name}</a>`
const text = (content: string): MarkdownInline[] => [{ kind: 'text', text: content }]
const uri = 'https://a.example/'

test.for<[string, MarkdownBlock, string]>([
  [
    'a heading is not a heading of the page',
    { kind: 'heading', level: 2, content: text('h') },
    '<p class="tb-heading tb-level-2">h</p>',
  ],
  ['a paragraph', { kind: 'paragraph', content: text('p') }, '<p>p</p>'],
  ['a quote', { kind: 'quote', blocks: [{ kind: 'rule' }] }, '<blockquote><hr></blockquote>'],
  [
    'code',
    { kind: 'code', text: 'x', tokens: [{ text: 'x', role: 'name' }] },
    '<tb-code><div class="tb-scroll tb-high-40" role="region" aria-label="Code" tabindex="0"><pre><code><span class="tb-code-name">x</span></code></pre></div></tb-code>',
  ],
  [
    'a list, and tasks in it',
    {
      kind: 'list',
      items: [
        { blocks: [{ kind: 'rule' }] },
        { isDone: true, blocks: [{ kind: 'rule' }] },
        { isDone: false, blocks: [] },
      ],
    },
    '<ul><li><hr></li><li class="tb-task">☑ <hr></li><li class="tb-task">☐ </li></ul>',
  ],
  [
    'a list that counts',
    { kind: 'list', start: 3, items: [{ blocks: [] }] },
    '<ol start="3"><li></li></ol>',
  ],
  [
    'a table, where a cell too many stands at the left',
    {
      kind: 'table',
      columns: [{ align: 'right', content: text('h') }],
      rows: [[text('1'), text('2')]],
    },
    '<div class="tb-scroll " role="region" aria-label="Table" tabindex="0"><table class="tb-table"><thead><tr><th scope="col" class="tb-to-right">h</th></tr></thead><tbody><tr><td class="tb-to-right">1</td><td class="tb-to-left">2</td></tr></tbody></table></div>',
  ],
])('%s', ([, block, html]) => {
  expect(written([block])).toBe(markdown(html))
})

test.for<[MarkdownInline, string]>([
  [{ kind: 'text', text: 'a' }, 'a'],
  [{ kind: 'code', text: 'a' }, '<code>a</code>'],
  [{ kind: 'break' }, '<br>'],
  [{ kind: 'strong', content: text('a') }, '<strong>a</strong>'],
  [{ kind: 'emphasis', content: text('a') }, '<em>a</em>'],
  [{ kind: 'deleted', content: text('a') }, '<del>a</del>'],
  [{ kind: 'link', uri, content: text('a') }, link('a')],
  [{ kind: 'image', uri, text: 'a' }, `<span class="tb-image">[image: ${link('a')}]</span>`],
  [{ kind: 'image', uri, text: '' }, `<span class="tb-image">[image: ${link(uri)}]</span>`],
])('%j is rendered in a line', ([piece, html]) => {
  expect(written([{ kind: 'paragraph', content: [piece] }])).toBe(markdown(`<p>${html}</p>`))
})

test('omitted lines are counted', () => {
  expect(written([{ kind: 'rule' }], 2)).toBe(markdown('<hr><p class="tb-left">… 2 more lines</p>'))
})
