import { describe, expect, test } from 'vitest'
import { findRequiredReaders, showResult } from '../index.ts'
import { loadContentReaders } from './load-content-readers.ts'

const readers = await loadContentReaders()

describe('Markdown', () => {
  test('is parsed into blocks', () => {
    expect(readers.readMarkdown('# Hi *you*\n\n- [x] a\n\n> q\n\n---')).toEqual([
      {
        kind: 'heading',
        level: 1,
        content: [
          { kind: 'text', text: 'Hi ' },
          { kind: 'emphasis', content: [{ kind: 'text', text: 'you' }] },
        ],
      },
      {
        kind: 'list',
        items: [
          { isDone: true, blocks: [{ kind: 'paragraph', content: [{ kind: 'text', text: 'a' }] }] },
        ],
      },
      {
        kind: 'quote',
        blocks: [{ kind: 'paragraph', content: [{ kind: 'text', text: 'q' }] }],
      },
      { kind: 'rule' },
    ])
  })

  test('has its code highlighted, and its tables aligned', () => {
    expect(readers.readMarkdown('```rs\nfn a() {}\n```')).toMatchObject([
      { kind: 'code', language: 'rs', tokens: [{ text: 'fn', role: 'keyword' }, {}, {}, {}] },
    ])
    expect(readers.readMarkdown('|a|b|\n|-|-:|\n|1|2|')).toMatchObject([
      { kind: 'table', columns: [{ align: 'left' }, { align: 'right' }], rows: [[[{}], [{}]]] },
    ])
  })

  test('keeps HTML as text', () => {
    expect(JSON.stringify(readers.readMarkdown('a <b onclick=x>b</b>\n\n<script>c</script>'))).toBe(
      JSON.stringify([
        {
          kind: 'paragraph',
          content: ['a ', '<b onclick=x>', 'b', '</b>'].map((text) => ({ kind: 'text', text })),
        },
        { kind: 'paragraph', content: [{ kind: 'text', text: '<script>c</script>' }] },
      ]),
    )
  })

  test('that is too long or too deep is not read', () => {
    expect(readers.readMarkdown('a'.repeat(50_001))).toBeUndefined()
    expect(readers.readMarkdown('> '.repeat(20_000))).toBeUndefined()
    expect(JSON.stringify(readers.readMarkdown(`${'> '.repeat(30)}a`))).toContain('> > >')
  })
})

describe('a highlighter', () => {
  test('returns the code in pieces, for any name of the language', () => {
    for (const name of ['ts', 'TypeScript', 'mts'])
      expect(readers.highlight('const a = 1 // b', name)).toEqual([
        { text: 'const', role: 'keyword' },
        { text: ' a = ', role: 'plain' },
        { text: '1', role: 'number' },
        { text: ' ', role: 'plain' },
        { text: '// b', role: 'comment' },
      ])
  })

  test('keeps all code', () => {
    const code = 'fn a() {\n\t"\u001B[2J" // x\n}\r\n'
    for (const name of ['rs', 'py', 'html', 'md', 'diff', 'sh'])
      expect(
        readers
          .highlight(code, name)
          ?.map(({ text }) => text)
          .join(''),
      ).toBe(code)
  })

  test('ignores unknown languages', () => {
    expect(readers.highlight('a', 'cobol')).toBeUndefined()
    expect(readers.highlight('a', 'constructor')).toBeUndefined()
  })
})

describe('the requested readers', () => {
  const markdown = {
    content: [],
    isError: false,
    structuredContent: { kind: 'text', data: { content: '```rs\n```' }, mimeType: 'text/markdown' },
  }

  test('are those that a result is rendered with', async () => {
    const wanted = findRequiredReaders([markdown])
    expect(wanted).toEqual({ languages: ['rs'], markdown: 'wanted' })
    const some = await loadContentReaders(wanted)
    expect(some.highlight('fn a', 'rs')).toBeDefined()
    expect(some.highlight('a', 'py')).toBeUndefined()
    expect(showResult(markdown, { readers: some }).answer).toMatchObject([
      { parts: [{ kind: 'markdown', left: 0, blocks: [{ kind: 'code', language: 'rs' }] }] },
    ])
  })

  test('are empty for plain text', () => {
    const text = { content: [{ type: 'text', text: '# a' }], isError: false } as const
    expect(findRequiredReaders([text])).toBe(undefined)
  })

  test('are those of several results together', () => {
    const code = { kind: 'text', data: 'a', display: { preferredView: 'code', language: 'PY' } }
    const python = { content: [], isError: false, structuredContent: code }
    expect(findRequiredReaders([python, markdown])).toEqual({
      languages: ['py', 'rs'],
      markdown: 'wanted',
    })
  })
})
