import { expect, test } from 'vitest'
import { createRendererRegistry } from '../show/show-context.ts'
import type { ShownPart } from '../show/shown-part.ts'
import { renderHtml } from './render-html.ts'

/** One of every kind of part, with a text in each place for one. */
function partsOf(text: string): Record<ShownPart['kind'], ShownPart> {
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

test.for(Object.keys(partsOf('')) as ShownPart['kind'][])(
  'no text in a part "%s" is markup',
  (kind) => {
    const render = (text: string): string => {
      const registry = createRendererRegistry().register('a.b', () => [partsOf(text)[kind]])
      const structuredContent = { kind: 'a.b', data: {} }
      return renderHtml({ content: [], isError: false, structuredContent }, { registry })
    }
    const tagsOf = (html: string): readonly string[] => html.match(/<[^>]*>/g) ?? []
    const plain = render('xbxx')
    const attacked = render('<b x="y" onload=\'z\'>')
    expect(tagsOf(attacked)).toHaveLength(tagsOf(plain).length)
    expect(attacked.replaceAll('&lt;b x=&quot;y&quot; onload=&#39;z&#39;&gt;', '')).not.toMatch(
      / onload=|x="y"/,
    )
  },
)
