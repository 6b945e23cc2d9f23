import { expect, test } from 'vitest'
import { createElement as h, writeHtml } from './page-element.ts'
import { pageText, sanitizePageText } from './safe-html.ts'

test('text and attributes are encoded, and nothing is written for what is absent', () => {
  const text = sanitizePageText('</p>"&')
  expect(writeHtml(h('p', { class: '">', id: undefined, open: true }, text, undefined, 7))).toBe(
    '<p class="&quot;&gt;" open>&lt;/p&gt;&quot;&amp;7</p>',
  )
})

test('several children are written one after the other, and an element without an end has none', () => {
  const pieces = [pageText`a`, h('br', {}), [pageText`b`, h('i', {})]]
  expect(writeHtml(pieces)).toBe('a<br>b<i></i>')
})
