import { expect, test } from 'vitest'
import type { ShownPart } from '../show/shown-part.ts'
import { renderHtmlPart as renderPart } from './html-writer.ts'

const context = { diffs: 'unified', media: 'inline', tallText: 'scroll' } as const

const LINK =
  '<a href="https://a.example/" rel="noopener noreferrer nofollow" target="_blank">https://a.example/</a>'

const scrolled = (label: string, inner: string, height = 40): string =>
  `<div class="tb-scroll tb-high-${height}" role="region" aria-label="${label}" tabindex="0">${inner}</div>`

const cut = { first: 'a', left: 2, last: 'b' }
const uncut = { first: 'a', left: 0, last: '' }
const empty: ShownPart = { kind: 'empty' }

test.for<[string, ShownPart, string]>([
  ['a heading', { kind: 'heading', text: 'a' }, '<p class="tb-heading">a</p>'],
  ['a name', { kind: 'facts', name: 'a', facts: [] }, '<p class="tb-named"><strong>a</strong></p>'],
  [
    'a name with facts',
    { kind: 'facts', name: 'a', facts: ['b', 'c'] },
    '<p class="tb-named"><strong>a</strong> <span class="tb-facts">b · c</span></p>',
  ],
  [
    'a link',
    { kind: 'link', name: 'https://a.example/', uri: 'https://a.example/', facts: ['b'] },
    `<p class="tb-named"><strong>${LINK}</strong> <span class="tb-facts">b</span></p>`,
  ],
  ['text', { kind: 'text', ...uncut }, '<div class="tb-text"><pre>a</pre></div>'],
  [
    'text without its middle',
    { kind: 'text', ...cut },
    '<div class="tb-text"><pre>a</pre><p class="tb-left">… 2 more lines</p><pre>b</pre></div>',
  ],
  [
    'code',
    { kind: 'code', ...uncut },
    `<tb-code>${scrolled('Code', '<pre><code>a</code></pre>')}</tb-code>`,
  ],
  [
    'code in its pieces, without its middle',
    {
      kind: 'code',
      language: 'ts',
      first: 'a b',
      left: 1234,
      last: 'c',
      tokens: {
        first: [
          { text: 'a', role: 'keyword' },
          { text: ' b', role: 'plain' },
        ],
        last: [{ text: 'c', role: 'string' }],
      },
    },
    `<tb-code>${scrolled(
      'Code, ts',
      '<pre><code><span class="tb-code-keyword">a</span> b</code></pre>' +
        '<p class="tb-left">… 1,234 more lines</p>' +
        '<pre><code><span class="tb-code-string">c</span></code></pre>',
    )}</tb-code>`,
  ],
  ['a file without content', empty, '<p class="tb-left">(empty)</p>'],
  [
    'a question',
    { kind: 'question', id: 'q', isLine: true, ...uncut },
    '<div class="tb-question"><p><strong>Question</strong> <span class="tb-facts">q</span></p><pre>a</pre></div>',
  ],
  [
    'a question without its middle, answered elsewhere',
    { kind: 'question', id: 'q', isLine: false, url: 'https://a.example/', ...cut },
    '<div class="tb-question"><p><strong>Question</strong> <span class="tb-facts">q</span></p>' +
      `<pre>a</pre><p class="tb-left">… 2 more lines</p><pre>b</pre><p>answered at ${LINK}</p></div>`,
  ],
  [
    'an argument',
    { kind: 'argument', name: 'a', text: 'b' },
    '<div class="tb-argument"><span class="tb-key">a</span>: <code>b</code></div>',
  ],
  [
    'an argument of several lines',
    { kind: 'argument', name: 'a', text: 'b\nc' },
    '<div class="tb-argument"><span class="tb-key">a</span>: <pre>b\nc</pre></div>',
  ],
  ['words of the renderer', { kind: 'notice', text: 'a' }, '<p class="tb-left">a</p>'],
  ['a failure', { kind: 'failure', text: 'a', transient: false }, '<p class="tb-failure">✗ a</p>'],
  [
    'a failure that may pass',
    { kind: 'failure', text: 'a', transient: true },
    '<p class="tb-failure">✗ a <span class="tb-facts">trying again may help</span></p>',
  ],
  [
    'a cause',
    { kind: 'cause', ...uncut },
    '<div class="tb-cause"><span class="tb-facts">caused by:</span> <div class="tb-text"><pre>a</pre></div></div>',
  ],
  [
    'a warning',
    { kind: 'warning', path: '', message: 'm', facts: [] },
    '<p class="tb-warning">! m</p>',
  ],
  [
    'a warning with its place and facts',
    { kind: 'warning', path: '/p', message: 'm', facts: ['b', 'c'] },
    '<p class="tb-warning">! <code>/p</code> m <span class="tb-facts">(b, c)</span></p>',
  ],
  [
    'standard error by its lines',
    { kind: 'stderr', lines: 1 },
    '<p class="tb-left">(1 line on standard error)</p>',
  ],
  [
    'standard error, folded',
    { kind: 'stderr', lines: 2, text: uncut },
    '<details class="tb-fold"><summary>2 lines on standard error</summary><div class="tb-text"><pre>a</pre></div></details>',
  ],
  [
    'one that is left out',
    { kind: 'left', count: 1, unit: 'row' },
    '<p class="tb-left">… 1 more row</p>',
  ],
  [
    'several that are left out',
    { kind: 'left', count: 2, unit: 'entry' },
    '<p class="tb-left">… 2 more entries</p>',
  ],
  ['none that is left out', { kind: 'left', count: 0, unit: 'entry' }, ''],
  [
    'a group',
    { kind: 'group', parts: [empty, { kind: 'notice', text: 'a' }] },
    '<div class="tb-group"><p class="tb-left">(empty)</p><p class="tb-left">a</p></div>',
  ],
  [
    'a group of a height',
    { kind: 'group', parts: [empty], maxHeight: 5 },
    scrolled('Value', '<p class="tb-left">(empty)</p>', 5),
  ],
  [
    'a group of a height between two',
    { kind: 'group', parts: [empty], maxHeight: 6 },
    scrolled('Value', '<p class="tb-left">(empty)</p>', 10),
  ],
  [
    'a group without height',
    { kind: 'group', parts: [empty], maxHeight: 0 },
    '<div class="tb-group"><p class="tb-left">(empty)</p></div>',
  ],
  [
    'a fold',
    { kind: 'fold', summary: 's', parts: [empty, { kind: 'notice', text: 'a' }] },
    '<details class="tb-fold"><summary>s</summary><p class="tb-left">(empty)</p><p class="tb-left">a</p></details>',
  ],
])('%s is rendered on a page', ([, part, html]) => {
  expect(renderPart(part, context)).toBe(html)
})

test('entries have columns for sizes and times if any entry has them', () => {
  const entries: Extract<ShownPart, { kind: 'entries' }>['entries'] = [
    { name: 'a', type: 'directory' },
    { name: 'b', type: 'symlink' },
    { name: 'c', type: 'file', size: 1, modified: 'x' },
  ]
  const table = (head: string, rows: string): string =>
    scrolled(
      'Entries',
      `<table class="tb-table"><thead><tr><th scope="col">name</th>${head}</tr></thead><tbody>${rows}</tbody></table>`,
    )
  expect(renderPart({ kind: 'entries', entries, left: 1 }, context)).toBe(
    `<tb-table>${table(
      '<th scope="col" class="tb-to-right" data-type="size">size</th><th scope="col">modified</th>',
      '<tr><td><code>a/</code></td><td class="tb-to-right"></td><td></td></tr>' +
        '<tr><td><code>b@</code></td><td class="tb-to-right"></td><td></td></tr>' +
        '<tr><td><code>c</code></td><td class="tb-to-right">1 byte</td><td>x</td></tr>',
    )}<p class="tb-left">… 1 more entry</p></tb-table>`,
  )
  expect(renderPart({ kind: 'entries', entries: entries.slice(0, 1), left: 0 }, context)).toBe(
    `<tb-table>${table('', '<tr><td><code>a/</code></td></tr>')}</tb-table>`,
  )
})

const makeTable = (head: string, rows: string): string =>
  scrolled(
    'Table',
    `<table class="tb-table"><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table>`,
  )

test('a table has its columns by alignment and type, its cells by column, and counts omitted rows', () => {
  const part: ShownPart = {
    kind: 'table',
    columns: [
      { label: 'n', align: 'right', type: 'number' },
      { label: 'p', align: 'left', type: 'path' },
      { label: 'q', align: 'center' },
    ],
    rows: [['1', '/a']],
    left: { rows: 1, columns: 2 },
  }
  expect(renderPart(part, context)).toBe(
    `<tb-table>${makeTable(
      '<th scope="col" class="tb-to-right" data-type="number">n</th>' +
        '<th scope="col" class="tb-to-left" data-type="path">p</th>' +
        '<th scope="col" class="tb-to-center" data-type="string">q</th>',
      '<tr><td class="tb-to-right">1</td><td class="tb-to-left"><code>/a</code></td><td class="tb-to-center"></td></tr>',
    )}<p class="tb-left">… 1 more row</p><p class="tb-left">… 2 more columns</p></tb-table>`,
  )
})

test('a table without columns or rows says so, unless its rows are only omitted', () => {
  const none: ShownPart = { kind: 'table', columns: [], rows: [], left: { rows: 0, columns: 0 } }
  expect(renderPart(none, context)).toBe(
    `<tb-table>${makeTable('', '')}<p class="tb-left">(no columns)</p><p class="tb-left">(no rows)</p></tb-table>`,
  )
  const head = '<th scope="col" class="tb-to-left" data-type="string">a</th>'
  const columns = [{ label: 'a', align: 'left' as const }]
  expect(renderPart({ ...none, columns, left: { rows: 1, columns: 0 } }, context)).toBe(
    `<tb-table>${makeTable(head, '')}<p class="tb-left">… 1 more row</p></tb-table>`,
  )
  expect(renderPart({ ...none, columns, rows: [['b']] }, context)).toBe(
    `<tb-table>${makeTable(head, '<tr><td class="tb-to-left">b</td></tr>')}</tb-table>`,
  )
})

test('a tree is open for two levels; a value without children is one line, and omitted values are counted', () => {
  const none = { nodes: [], left: 0 }
  const top = {
    type: 'object' as const,
    text: '1 field',
    left: 0,
    nodes: [
      {
        key: 'a',
        type: 'object' as const,
        text: '4 fields',
        left: 1,
        nodes: [
          {
            key: 'b',
            type: 'array' as const,
            text: '1 item',
            left: 0,
            nodes: [
              {
                key: '0',
                type: 'string' as const,
                text: 'https://a.example/',
                fieldType: 'url' as const,
                ...none,
              },
            ],
          },
          { key: 'c', type: 'object' as const, text: '3 fields', nodes: [], left: 3 },
          { key: 'd', type: 'number' as const, text: '1', fieldType: 'path' as const, ...none },
        ],
      },
    ],
  }
  expect(renderPart({ kind: 'tree', top }, context)).toBe(
    [
      '<tb-tree><ul class="tb-tree"><li><details open><summary><span class="tb-size">1 field</span></summary><ul>',
      '<li><details open><summary><span class="tb-key">a</span>: <span class="tb-size">4 fields</span></summary><ul>',
      '<li><details><summary><span class="tb-key">b</span>: <span class="tb-size">1 item</span></summary><ul>',
      `<li><span class="tb-key">0</span>: <span class="tb-value tb-string">${LINK}</span></li></ul></details></li>`,
      '<li><span class="tb-key">c</span>: <span class="tb-value tb-object">3 fields</span><span class="tb-left">… 3 more</span></li>',
      '<li><span class="tb-key">d</span>: <span class="tb-value tb-number">1</span></li>',
      '<li><span class="tb-left">… 1 more</span></li></ul></details></li></ul></details></li></ul></tb-tree>',
    ].join(''),
  )
})

const PNG = 'iVBORw0KGgo='
const WAV = Buffer.from('RIFF0000WAVE').toString('base64')
const uri = 'https://a.example/'

const written = (
  part: Partial<Extract<ShownPart, { kind: 'media' }>>,
  media: 'inline' | 'name' = 'inline',
): string =>
  renderPart(
    { kind: 'media', media: 'image', name: 'x/a.bin', facts: ['b'], ...part },
    { diffs: 'unified', media, tallText: 'scroll' },
  )

const line = '<p class="tb-named"><strong>x/a.bin</strong> <span class="tb-facts">b</span></p>'
const address = `<p><a href="${uri}" rel="noopener noreferrer nofollow" target="_blank">${uri}</a></p>`

const keep = (base64: string): string =>
  `<p><a download="a.bin" href="data:application/octet-stream;base64,${base64}">Download x/a.bin</a></p>`

test('an image is shown above its facts', () => {
  expect(written({ base64: PNG, uri })).toBe(
    `<figure><img src="data:image/png;base64,${PNG}" alt="x/a.bin" loading="lazy"><figcaption>${line}</figcaption></figure>`,
  )
})

test('audio can be played and saved, and has its address', () => {
  expect(written({ media: 'audio', base64: WAV, uri })).toBe(
    `${line}<audio controls preload="none" src="data:audio/wav;base64,${WAV}" aria-label="x/a.bin"></audio>${keep(WAV)}${address}`,
  )
})

test.for<['image' | 'audio' | 'file', string]>([
  ['file', PNG],
  ['image', WAV],
  ['audio', PNG],
])('bytes declared as %s that are not an image are a file to save', ([media, base64]) => {
  expect(written({ media, base64 })).toBe(`${line}${keep(base64)}`)
})

const getBase64 = (content: string): string => Buffer.from(content).toString('base64')

test.for([
  ['SVG', getBase64('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
  ['SVG behind an XML declaration', getBase64('<?xml version="1.0"?><svg onload="alert(1)"/>')],
  ['HTML', getBase64('<!doctype html><script>alert(1)</script>')],
  ['PDF', getBase64('%PDF-1.7')],
])('%s declared as an image is a file to save', ([, base64 = '']) => {
  expect(written({ base64 })).toBe(`${line}${keep(base64)}`)
})

test.for<[string, string]>([
  ['../../a/b"<c>.svg', 'b__c_.svg'],
  ['c:\\d\\..e', 'e'],
  ['..', 'file'],
])('a file to save with the name %s has a name without folders: %s', ([name, kept]) => {
  expect(written({ name, base64: WAV })).toContain(`<a download="${kept}" href=`)
})

test.for(['"', `${PNG}" onerror="alert(1)`])('invalid base64 is only named: %s', (base64) => {
  expect(written({ base64 })).toBe(line)
})

test('content at another address is a link, and bytes are only named if the host requests it', () => {
  expect(written({ uri })).toBe(`${line}${address}`)
  expect(written({ base64: PNG, uri }, 'name')).toBe(`${line}${address}`)
  expect(written({ base64: PNG }, 'name')).toBe(line)
})
