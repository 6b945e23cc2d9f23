import fc from 'fast-check'
import type { ToolResult } from '@toolblocks/protocol'
import { renderToStaticMarkup } from 'react-dom/server'
import { createElement } from 'react'
import { describe, expect, test } from 'vitest'
import { ToolResultView } from '../react.ts'
import { createRendererRegistry } from '../show/show-context.ts'
import { renderGallery } from './render-page.ts'
import { renderHtml, renderHtmlArguments } from './render-html.ts'

const result = (rest: Partial<ToolResult>): ToolResult => ({ content: [], isError: false, ...rest })
const value = (kind: string, data: unknown, display = {}): ToolResult =>
  result({ structuredContent: { kind, data, display } })

/** The names of the elements of markup, and what is said between them. */
const elementsOf = (markup: string): readonly string[] =>
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

  test('a table has its columns, and an address that a hint names leads there', () => {
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

  test('what a tool asks to fold is folded, and what it asks to hide is named', () => {
    expect(renderHtml(value('structured', { a: 1 }, { collapsed: true }))).toContain(
      '<details class="tb-fold">',
    )
    expect(renderHtml(value('structured', { a: 1 }, { preferredView: 'hidden' }))).toContain(
      'hidden, as the tool asks',
    )
  })

  test('a picture is one by its bytes; anything else is a file to keep', () => {
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

  test('a question says all that it asks, and where it is answered', () => {
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

  test('a kind of a host’s own is shown as it says', () => {
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
  ])('%s leads nowhere', (uri) => {
    const markup = renderHtml(result({ content: [{ type: 'resource_link', uri, name: 'a' }] }))
    expect(markup).not.toContain('href')
  })

  test('no text adds an element or an attribute, wherever it stands', () => {
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
    const expected = elementsOf(renderHtml(everywhere('x')))
    fc.assert(
      fc.property(attack, (text) => {
        const markup = renderHtml(everywhere(`x${text}`))
        const plain = elementsOf(renderHtml(everywhere(`x${text.replace(/[^\n]/g, 'x')}`)))
        expect(elementsOf(markup)).toEqual(plain)
        expect(markup.isWellFormed()).toBe(true)
      }),
    )
    expect(expected).toContain('details')
  })

  test('a text of ten megabytes is cut to what a page shows', () => {
    const text = '<b>'.repeat(3_500_000)
    expect(renderHtml(result({ content: [{ type: 'text', text }] })).length).toBeLessThan(100_000)
  })
})

test('arguments are whole, and nothing in them hides', () => {
  expect(renderHtmlArguments({ path: '<a>\u200B' })).toContain('<code>&lt;a&gt;\\u{200B}</code>')
})

test('a gallery is one page, and its policy lets only its own style and script act', () => {
  const page = renderGallery([{ title: 'A <b>', result: value('text', { content: 'hi' }) }])
  expect(page).toContain('<h2>A &lt;b&gt;</h2>')
  expect(page).toMatch(
    /default-src &#39;none&#39;; script-src &#39;sha256-\S+ style-src &#39;sha256-/,
  )
})

test('React shows a result on the server as renderHtml writes it', () => {
  const shown = value('text', { content: 'a < b' })
  const markup = renderToStaticMarkup(createElement(ToolResultView, { result: shown }))
  expect(markup).toBe(`<div class="tb-view">${renderHtml(shown)}</div>`)
})
