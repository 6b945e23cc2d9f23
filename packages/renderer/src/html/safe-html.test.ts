import { describe, expect, test } from 'vitest'
import { loadContentReaders } from '../readers/load-content-readers.ts'
import {
  encodeHtml,
  markup,
  encodePageAddress,
  encodePageDecision,
  encodePageLine,
  encodePageText,
} from './safe-html.ts'
import { renderHtml } from './render-html.ts'
import { renderPage } from './render-page.ts'

describe('text on a page', () => {
  test('is encoded: the ends of elements and attributes, the beginnings of entities, and invalid characters', () => {
    expect(encodeHtml(`&amp; <b> "a" 'b' \0 \uD800`)).toBe(
      '&amp;amp; &lt;b&gt; &quot;a&quot; &#39;b&#39; \uFFFD \uFFFD',
    )
  })

  test('has no terminal sequences, and no characters that hide letters or change their direction', () => {
    expect(encodePageText('a\u001B[31mb\u001B[0m\nc\u202Ed')).toBe('ab\nc\uFFFDd')
  })

  test('in one line shows unusual characters by their number, and has a maximum length', () => {
    expect(encodePageLine('a\nb\u202Ec')).not.toMatch(/[\n\u202E]/)
    expect(encodePageLine('x'.repeat(10_000)).length).toBeLessThan(600)
  })

  test('for a decision of a person is complete, with unusual characters by their number', () => {
    expect(encodePageDecision(`${'x'.repeat(10_000)}\u202E`)).toBe(`${'x'.repeat(10_000)}\\u{202E}`)
  })
})

describe('an address', () => {
  test('is a link to the web or to a mailbox, in the form of a browser', () => {
    expect(encodePageAddress('HTTPS://A.example/ü?a=b#c')).toBe('https://a.example/%C3%BC?a=b#c')
    expect(encodePageAddress('http://a.example')).toBe('http://a.example/')
    expect(encodePageAddress('mailto:ada@example.com')).toBe('mailto:ada@example.com')
    const longest = `https://a.example/${'x'.repeat(2048 - 18)}`
    expect(encodePageAddress(longest)).toBe(longest)
  })

  test.for([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'blob:https://a.example/x',
    'file:///x',
    'ui://a/b',
    '//a.example',
    '/a',
    'a',
    'https:a.example',
    'https:/\\a.example',
    'https://a.example\\b',
    'https://a.example /b',
    'https://a@b.example',
    'https://:b@b.example',
    `https://a.example/${'x'.repeat(2048 - 17)}`,
    'https://[',
    'xhttps://a.example',
    'mailto:',
  ])('is not a link: %s', (uri) => {
    expect(encodePageAddress(uri)).toBeUndefined()
  })

  test('of a link sends no referrer to its page', () => {
    const link = { type: 'resource_link', uri: 'https://a.example', name: 'a' } as const
    expect(renderHtml({ content: [link], isError: false })).toContain(
      'rel="noopener noreferrer nofollow"',
    )
  })
})

test('HTML in Markdown is text, no image is fetched, and links follow the rules of a page', async () => {
  const content =
    '<img src=x onerror=alert(1)> a <b>b</b>\n\n![p](https://a.example/p.png) [x](javascript:alert(1)) [z](javascript&colon;alert(1)) &lt;img src=x onerror=alert(1)&gt; [y](https://a.example)\n\n<script>\nalert(1)\n</script>\n\n<p style="position:fixed">c</p>\n\n```"><i>\n<u>\n```'
  const structuredContent = { kind: 'text', mimeType: 'text/markdown', data: { content } }
  const readers = await loadContentReaders()
  const html = renderHtml({ content: [], isError: false, structuredContent }, { readers })
  const elements = new Set([...html.matchAll(/<([a-z][a-z-]*)/g)].map(([, name]) => name))
  expect(elements).toEqual(new Set(['div', 'p', 'span', 'a', 'tb-code', 'pre', 'code']))
  expect([...html.matchAll(/href="([^"]*)"/g)].map(([, uri]) => uri)).toEqual([
    'https://a.example/p.png',
    'https://a.example/',
  ])
  expect(html).not.toMatch(/<[^>]* (?:style|src|on\w+)=/)
})

test('a value declares its height by a class of ours, never by a style', () => {
  const getHeight = (maxHeight: number): string =>
    renderHtml({
      content: [],
      isError: false,
      structuredContent: { kind: 'text', data: { content: 'a' }, display: { maxHeight } },
    })
  expect(getHeight(7)).toContain('tb-high-10')
  expect(getHeight(1e9)).toContain('tb-high-80')
  expect(getHeight(7)).not.toContain('style=')
})

test('a page allows only its own scripts and resources', () => {
  const page = renderPage(markup``, { title: '</title><script>alert(1)</script>' })
  const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page) ?? []
  const rules = policy.replaceAll('&#39;', "'").replace(/sha256-[\w+/=]+/g, 'sha256')
  expect(rules.split('; ')).toEqual([
    "default-src 'none'",
    "script-src 'sha256'",
    "style-src 'sha256'",
    'img-src data:',
    'media-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ])
  expect(page).not.toContain('<script>alert')
})
