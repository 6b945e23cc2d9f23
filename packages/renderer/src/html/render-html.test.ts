import fc from 'fast-check'
import type { ToolResult } from '@toolblocks/protocol'
import { describe, expect, test } from 'vitest'
import { createRendererRegistry } from '../show/show-context.ts'
import type { ShownPart } from '../show/shown-part.ts'
import { renderHtml, renderHtmlArguments } from './render-html.ts'
import { renderGallery } from './render-page.ts'

const result = (rest: Partial<ToolResult>): ToolResult => ({ content: [], isError: false, ...rest })

const value = (kind: string, data: unknown, display = {}): ToolResult =>
  result({ structuredContent: { kind, data, display } })

/** The names of the elements of markup, and the text between them. */
const getElements = (markup: string): readonly string[] =>
  [...markup.matchAll(/<([^\s>/]+)/g)].map(([, name = '']) => name)

describe('renderHtml', () => {
  test('a diff has the numbers of its lines, and marks the words that differ', () => {
    const diff = { path: 'a.ts', original: 'let a = 1\n', modified: 'let a = 2\n', isNew: false }
    const markup = renderHtml(value('diff', diff))
    expect(markup).toContain('<tb-diff data-view="unified">')
    expect(markup).toContain(
      '<tr class="tb-removed"><td class="tb-number">1</td><td class="tb-number"></td><td class="tb-sign">-</td><td class="tb-line">let a = <del>1</del></td></tr>',
    )
    expect(renderHtml(value('diff', diff), { diffs: 'split' })).toContain(
      '<tr><td class="tb-number">1</td><td class="tb-line tb-removed">let a = <del>1</del></td><td class="tb-number">1</td><td class="tb-line tb-added">let a = <ins>2</ins></td></tr>',
    )
  })

  test('a table has its columns, and an address named by a hint is a link', () => {
    const data = {
      columns: [{ key: 'n', type: 'number' }, { key: 'at' }],
      rows: [{ n: 1, at: 'https://a.example/' }],
    }
    const markup = renderHtml(value('table', data, { fieldTypes: { at: 'url' } }))
    expect(markup).toContain('<td class="tb-to-right">1</td>')
    expect(markup).toContain(
      '<a href="https://a.example/" rel="noopener noreferrer nofollow" target="_blank">https://a.example/</a>',
    )
  })

  test('a nested value folds at each level', () => {
    const markup = renderHtml(value('structured', { a: { b: 1 } }, { preferredView: 'tree' }))
    expect(markup.match(/<details open>/g)).toHaveLength(2)
    expect(markup).toContain(
      '<span class="tb-key">b</span>: <span class="tb-value tb-number">1</span>',
    )
  })

  test('a value with the hint collapsed is folded, and a hidden value is named', () => {
    expect(renderHtml(value('structured', { a: 1 }, { collapsed: true }))).toContain(
      '<details class="tb-fold">',
    )
    expect(renderHtml(value('structured', { a: 1 }, { preferredView: 'hidden' }))).toContain(
      'hidden, as the tool asks',
    )
  })

  test('an image is detected by its bytes; other data is a file to save', () => {
    const png = 'iVBORw0KGgoAAAANSUhEUg=='
    const svg = Buffer.from('<svg onload="alert(1)"/>').toString('base64')
    const image = (data: string): string =>
      renderHtml(result({ content: [{ type: 'image', mimeType: 'image/png', data }] }))
    expect(image(png)).toContain(
      `<img src="data:image/png;base64,${png}" alt="image" loading="lazy">`,
    )
    expect(image(svg)).not.toContain('<img')
    expect(image(svg)).toContain('href="data:application/octet-stream;base64,')
    expect(image('"><b>')).not.toContain('<b>')
    const block = { type: 'image', mimeType: 'image/png', data: png } as const
    expect(renderHtml(result({ content: [block] }), { media: 'name' })).not.toContain(png)
  })

  test('a question shows everything that it asks, and where it is answered', () => {
    const question = {
      id: 'q',
      text: 'Sure?\u202E',
      schema: { type: 'boolean' },
      url: 'https://a.example/q',
    } as const
    const markup = renderHtml(result({ content: [{ type: 'question', question }] }))
    expect(markup).toContain('<pre>Sure?\\u{202E}</pre>')
    expect(markup).toContain('href="https://a.example/q"')
  })

  test('an error says so first', () => {
    const markup = renderHtml(
      result({ content: [{ type: 'text', text: 'no lamp' }], isError: true }),
    )
    expect(markup).toMatch(/^<div class="tb-result"><p class="tb-failure">✗ failed<\/p>.*no lamp/s)
  })

  test('a host’s own kind is shown by its renderer', () => {
    const registry = createRendererRegistry().register('git.status', () => [
      { kind: 'facts', name: 'main', facts: ['1 ahead'] },
    ])
    expect(renderHtml(value('git.status', {}), { registry })).toContain(
      '<strong>main</strong> <span class="tb-facts">1 ahead</span>',
    )
  })

  test.for([
    'javascript:alert(1)',
    'data:text/html,x',
    '//evil.example',
    'https://a@evil.example',
    '/x',
    'file:///x',
    ' https://a',
  ])('%s is not a link', (uri) => {
    const markup = renderHtml(result({ content: [{ type: 'resource_link', uri, name: 'a' }] }))
    expect(markup).not.toContain('href')
  })

  test('no text adds an element or an attribute, at any place', () => {
    const attack = fc
      .array(
        fc.constantFrom(
          '<',
          '>',
          '"',
          "'",
          '&',
          'script',
          ' onload=',
          '</pre>',
          '`',
          '\0',
          '\uD800',
          '\n',
          '<!--',
        ),
      )
      .map((pieces) => pieces.join(''))
    const everywhere = (text: string): ToolResult => ({
      content: [
        { type: 'text', text },
        { type: 'resource', resource: { uri: 'a:a', text: `x${text}`, mimeType: text } },
        { type: 'audio', mimeType: text, data: `-${text}` },
        { type: 'question', question: { id: text, text: `x${text}`, schema: {} } },
      ],
      isError: false,
      structuredContent: {
        kind: 'a.b',
        data: { [`x${text}`]: text },
        summary: `x${text}`,
        display: { preferredView: 'tree' },
      },
    })
    const expected = getElements(renderHtml(everywhere('x')))
    fc.assert(
      fc.property(attack, (text) => {
        const markup = renderHtml(everywhere(`x${text}`))
        const plain = getElements(renderHtml(everywhere(`x${text.replace(/[^\n]/g, 'x')}`)))
        expect(getElements(markup)).toEqual(plain)
        expect(markup.isWellFormed()).toBe(true)
      }),
    )
    expect(expected).toContain('details')
  })

  test('a text of ten megabytes is cut to the length for a page', () => {
    const text = '<b>'.repeat(3_500_000)
    expect(renderHtml(result({ content: [{ type: 'text', text }] })).length).toBeLessThan(100_000)
  })
})

test('arguments are complete, and nothing in them is invisible', () => {
  expect(renderHtmlArguments({ path: '<a>\u200B' })).toContain('<code>&lt;a&gt;\\u{200B}</code>')
})

test('a gallery is one page, and its policy allows only its own style and script', () => {
  const page = renderGallery([{ title: 'A <b>', result: value('text', { content: 'hi' }) }])
  expect(page).toContain('<h2>A &lt;b&gt;</h2>')
  expect(page).toMatch(
    /default-src &#39;none&#39;; script-src &#39;sha256-\S+ style-src &#39;sha256-/,
  )
})

const makeEntries = (...entries: readonly object[]): string =>
  renderHtml({
    content: [],
    isError: false,
    structuredContent: { kind: 'file_list', data: { path: '/', entries } },
  })

test('entries have their sizes, and their times to the minute in UTC', () => {
  const html = makeEntries({
    name: 'a',
    type: 'file',
    size: 1834,
    modified: '2026-03-01T10:30:00+01:00',
  })
  expect(html).toContain('<td class="tb-to-right">1.8 KB</td><td>2026-03-01 09:30 UTC</td>')
  expect(makeEntries({ name: 'a', type: 'file', modified: 'yesterday' })).toContain(
    '<td>yesterday</td>',
  )
})

test('columns that are empty for every entry are omitted', () => {
  const html = makeEntries({ name: 'a', type: 'file' }, { name: 'b', type: 'directory' })
  expect(html.match(/<th /g)).toHaveLength(1)
  expect(html.match(/<td>/g)).toHaveLength(2)
})

const getText = (lines: number): string =>
  renderHtml({ content: [{ type: 'text', text: 'lit\n'.repeat(lines).trim() }], isError: false })

test('text that is taller than a screen scrolls, also by keyboard', () => {
  expect(getText(41)).toMatch(/<div class="tb-scroll tb-high-40"[^>]* tabindex="0">/)
  expect(getText(40)).not.toContain('tb-scroll')
})

test('folded text, code and diffs show their first lines, and all lines after a click', () => {
  const lines = (count: number): string => 'lit\n'.repeat(count).trim()
  const render = (count: number): string =>
    renderHtml(
      {
        content: [
          { type: 'text', text: lines(count) },
          { type: 'text', text: lines(count), mimeType: 'text/x-python' },
        ],
        isError: false,
        structuredContent: {
          kind: 'diff',
          data: { path: 'a', original: '', modified: lines(count), isNew: true },
        },
      },
      { tallText: 'fold' },
    )
  expect(render(60).match(/<details><summary>All 6[01] lines<\/summary><\/details>/g)).toHaveLength(
    3,
  )
  expect(render(60)).not.toContain('tb-high-40')
  expect(render(24)).not.toContain('tb-tall')
})

test('for a decision all lines are shown, and every level of a tree is open', () => {
  const nested = { a: { b: { c: { d: 1 } } } }
  const markup = renderHtml(
    {
      content: [{ type: 'text', text: 'lit\n'.repeat(600) }],
      isError: false,
      structuredContent: {
        kind: 'structured',
        data: nested,
        display: { preferredView: 'tree', maxHeight: 3 },
      },
    },
    { tallText: 'whole', maxLines: Infinity },
  )
  expect(markup).not.toMatch(/<details(?! open)|tb-high|tb-left/)
  expect(markup).toContain('<details open>')
})

/** One of every kind of part, with a text in every place for text. */
function getParts(text: string): Record<ShownPart['kind'], ShownPart> {
  const cut = { first: text, left: 0, last: text }
  const line = { change: 'removed', text: `${text}${text}`, marks: [[0, text.length]] } as const
  const token = { text, role: 'keyword' } as const
  return {
    heading: { kind: 'heading', text },
    facts: { kind: 'facts', name: text, facts: [text] },
    link: { kind: 'link', name: text, uri: text, facts: [text] },
    text: { kind: 'text', ...cut },
    code: {
      kind: 'code',
      ...cut,
      language: text,
      tokens: { first: [token, { text, role: 'plain' }], last: [] },
    },
    markdown: {
      kind: 'markdown',
      blocks: [{ kind: 'paragraph', content: [{ kind: 'image', uri: text, text }] }],
      left: 0,
    },
    empty: { kind: 'empty' },
    diff: { kind: 'diff', first: [line, { change: 'note', text }], left: 0, last: [] },
    table: {
      kind: 'table',
      columns: [{ label: text, align: 'left', type: 'url' }],
      rows: [[text]],
      left: { rows: 0, columns: 0 },
    },
    tree: { kind: 'tree', top: { key: text, type: 'string', text, nodes: [], left: 0 } },
    entries: { kind: 'entries', entries: [{ name: text, type: 'file', modified: text }], left: 0 },
    media: { kind: 'media', media: 'file', name: text, facts: [text], base64: 'AAAA', uri: text },
    question: { kind: 'question', id: text, isLine: false, url: text, ...cut },
    argument: { kind: 'argument', name: text, text },
    notice: { kind: 'notice', text },
    failure: { kind: 'failure', text, transient: false },
    cause: { kind: 'cause', ...cut },
    warning: { kind: 'warning', path: text, message: text, facts: [text] },
    stderr: { kind: 'stderr', lines: 1, text: cut },
    left: { kind: 'left', count: 1, unit: 'line' },
    group: { kind: 'group', parts: [{ kind: 'heading', text }] },
    fold: { kind: 'fold', summary: text, parts: [] },
  }
}

test.for(Object.keys(getParts('')) as ShownPart['kind'][])(
  'text in a part "%s" is never markup',
  (kind) => {
    const render = (text: string): string => {
      const registry = createRendererRegistry().register('a.b', () => [getParts(text)[kind]])
      const structuredContent = { kind: 'a.b', data: {} }
      return renderHtml({ content: [], isError: false, structuredContent }, { registry })
    }
    const getTags = (html: string): readonly string[] => html.match(/<[^>]*>/g) ?? []
    const plain = render('xbxx')
    const attacked = render('<b x="y" onload=\'z\'>')
    expect(getTags(attacked)).toHaveLength(getTags(plain).length)
    expect(attacked.replaceAll('&lt;b x=&quot;y&quot; onload=&#39;z&#39;&gt;', '')).not.toMatch(
      / onload=|x="y"/,
    )
  },
)
