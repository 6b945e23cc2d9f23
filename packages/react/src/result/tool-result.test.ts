import {
  createErrorResult,
  type ContentBlock,
  type ToolResult as Result,
} from '@toolblocks/protocol'
import { createRendererRegistry } from '@toolblocks/renderer'
import { loadContentReaders } from '@toolblocks/renderer/readers'
import { createElement as h, type ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { EVERY_KIND, toResult } from '../../../viewer/browser/every-kind.support.ts'
import { ToolResult, type ToolResultProps } from './tool-result.ts'

const render = (result: Partial<Result>, options: Omit<ToolResultProps, 'result'> = {}): string =>
  renderToStaticMarkup(h(ToolResult, { result: toResult(result), ...options }))

const value = (kind: string, data: unknown, rest = {}): Partial<Result> => ({
  structuredContent: { kind, data, ...rest },
})

test('the text of a tool is text, whatever it contains', () => {
  const text = '<img src=x onerror=alert(1)>\u001B]0;title\u0007 \u202Egpj'
  expect(render({ content: [{ type: 'text', text }] })).toContain(
    '<pre>&lt;img src=x onerror=alert(1)&gt; \uFFFDgpj</pre>',
  )
})

test('a failed result says so first', () => {
  const markup = render(createErrorResult('No such lamp.'))
  expect(markup).toMatch(/^<div class="tb tb-result" data-outcome="error"><p class="tb-failure">✗ /)
  expect(markup).toContain('No such lamp.')
})

test.for<[string, string]>([
  ['diff', '<td class="tb-number">2</td><td class="tb-number"></td><td class="tb-sign">-</td>'],
  ['table', '<th scope="col" data-align="right"><button type="button">count'],
  ['tree', '<span class="tb-key">branch</span>: <span class="tb-value tb-string">main</span>'],
  ['list', '<code>bin/</code>'],
  ['image', '<img src="data:image/png;base64,'],
  ['folded', '<details class="tb-fold"><summary>a folded value</summary>'],
  ['hidden', '(structured: hidden, as the tool asks)'],
  ['blocks', '<a download="a.bin" href="data:application/octet-stream;base64,'],
  ['error', 'trying again may help'],
])('a result with a %s has real elements', ([name, expected]) => {
  expect(render(EVERY_KIND[name] ?? {})).toContain(expected)
})

test('Markdown and code are elements if there are readers for them', async () => {
  const readers = await loadContentReaders()
  const markup = render(EVERY_KIND['markdown'] ?? {}, { readers })
  expect(markup).toContain('<p class="tb-heading tb-level-1">Lamps</p>')
  expect(markup).toContain('<a href="https://example.com/" rel="noopener noreferrer nofollow"')
  expect(markup).toContain('&lt;b&gt;said&lt;/b&gt;')
  expect(markup).toContain('<span class="tb-code-keyword">const</span>')
  expect(markup).not.toContain('<img')
})

test('a host shows its own kinds, and instead of others, with its own components', () => {
  const Weather = ({ value: { data } }: { value: { data?: unknown } }): ReactElement =>
    h('b', null, `It is ${String(data)}.`)
  const renderers = { 'my.weather': Weather, table: Weather }
  expect(render(value('my.weather', 'fine', { summary: 'Today' }), { renderers })).toContain(
    '<p class="tb-heading">Today</p><b>It is fine.</b>',
  )
  expect(render(EVERY_KIND['table'] ?? {}, { renderers })).toContain(
    '<b>It is [object Object].</b>',
  )
  expect(render(value('constructor', 'x'), { renderers })).not.toContain('<b>')
})

test('a hint to fold also applies to a component', () => {
  const renderers = { 'my.kind': (): ReactElement => h('b', null, 'mine') }
  const folded = value('my.kind', 1, { summary: 'All', display: { collapsed: true } })
  expect(render(folded, { renderers })).toContain('<summary>All</summary><b>mine</b></details>')
})

test('renderers of values are shared with a terminal; components come first', () => {
  const registry = createRendererRegistry()
    .register('my.a', () => [{ kind: 'notice', text: 'shared' }])
    .register('my.b', () => [{ kind: 'notice', text: 'shared' }])
  const renderers = { 'my.b': (): ReactElement => h('b', null, 'own') }
  expect(render(value('my.a', 1), { registry, renderers })).toContain('shared')
  expect(render(value('my.b', 1), { registry, renderers })).toContain('<b>own</b>')
})

test('a host shows types of blocks with its own components, in their places', () => {
  const image = ({ block }: { block: Extract<ContentBlock, { type: 'image' }> }): ReactElement =>
    h('i', null, block.mimeType)
  const markup = render(
    {
      content: [
        { type: 'text', text: 'before' },
        { type: 'image', mimeType: 'image/png', data: 'AAAA' },
        { type: 'text', text: 'after' },
      ],
    },
    { blocks: { image } },
  )
  expect(markup.replaceAll(/<[^>]*>/g, '|')).toMatch(/before\|+image\/png\|+after/)
  expect(markup).toContain('<i>image/png</i>')
})

test('every option of a result reaches it', () => {
  const content: ContentBlock[] = [{ type: 'text', text: 'a\nb\nc\nd' }]
  expect(render({ content }, { maxLines: 2 })).toContain('… 2 more lines')
  expect(render({ content }, { maxLines: 2, lastLines: 1 })).toContain('<pre>d</pre>')
  expect(render(EVERY_KIND['hidden'] ?? {}, { hiddenValues: 'show' })).toContain('&quot;a&quot;: 1')
  expect(render(EVERY_KIND['folded'] ?? {}, { collapsedValues: 'open' })).not.toContain('<details')
  expect(render(EVERY_KIND['diff'] ?? {}, { diffs: 'split' })).toContain('tb-split')
  const stderr = { content: [], metadata: { stderr: 'a hint' } }
  expect(render(stderr, { stderr: 'show' })).not.toBe(render(stderr))
  const link: ContentBlock = { type: 'resource', resource: { uri: 'file:///w/a.ts', text: 'x' } }
  expect(render({ content: [link] }, { root: '/w' })).toContain('<strong>a.ts</strong>')
})

test('a long text is cut after 400 lines, and scrolls', () => {
  const text = 'lit\n'.repeat(500).trim()
  const markup = render({ content: [{ type: 'text', text }] })
  expect(markup).toContain('… 100 more lines')
  expect(markup).toContain('class="tb-scroll" role="group" aria-label="Text" tabindex="0"')
})

test.for<[string, Partial<Result>, Omit<ToolResultProps, 'result'>, string]>([
  ['a sound has a name', EVERY_KIND['blocks'] ?? {}, {}, ' aria-label="audio'],
  [
    'a numbered list begins with its number',
    value('text', { content: '3. third\n4. fourth' }, { display: { preferredView: 'markdown' } }),
    { readers: await loadContentReaders() },
    '<ol start="3"><li>',
  ],
  [
    'a list says how many entries are left out',
    EVERY_KIND['list'] ?? {},
    { maxLines: 2 },
    '… 2 more entries',
  ],
])('%s', ([, result, options, expected]) => {
  expect(render(result, options)).toContain(expected)
})
