import type { ContentBlock, ToolResult } from '@toolblocks/protocol'
import { describe, expect, test } from 'vitest'
import { type ShowOptions, createRendererRegistry } from './show-context.ts'
import { showResult } from './show-result.ts'
import { showArguments } from './show-value.ts'
import type { ShownPart } from './shown-part.ts'

const show = (
  structuredContent: unknown,
  more: Partial<ToolResult> = {},
  options: ShowOptions = {},
): readonly ShownPart[] =>
  showResult(
    { content: [], isError: false, structuredContent, ...more },
    { root: '/w', ...options },
  ).answer

const text = (content: string): ContentBlock => ({ type: 'text', text: content })
const whole = (first: string): object => ({ first, left: 0, last: '' })

const getView = (kind: string, data: unknown, preferredView: string): unknown => {
  const [group] = show({ kind, data, display: { preferredView } })
  return group?.kind === 'group' ? group.parts.map((part) => part.kind).join(' ') : group
}

describe('a well-known kind', () => {
  const rows = { columns: [{ key: 'a' }], rows: [{ a: 1 }] }
  const diff = { path: 'a', original: 'a', modified: 'b', isNew: false }
  const file = { path: 'a', content: 'b', size: 1 }
  const list = { path: 'a', entries: [{ name: 'b' }] }
  test.for<[string, unknown, Record<string, string>]>([
    [
      'text',
      { content: 'a' },
      {
        text: 'text',
        markdown: 'text',
        code: 'code',
        diff: 'text',
        tree: 'tree',
        raw: 'heading text',
        table: 'text',
        image: 'text',
      },
    ],
    [
      'diff',
      diff,
      {
        diff: 'facts diff',
        text: 'facts diff',
        markdown: 'facts diff',
        code: 'code',
        tree: 'tree',
        raw: 'heading text',
        table: 'facts diff',
        image: 'facts diff',
      },
    ],
    [
      'file_content',
      file,
      {
        code: 'facts code',
        text: 'text',
        markdown: 'text',
        tree: 'tree',
        raw: 'heading text',
        table: 'facts code',
        image: 'facts code',
      },
    ],
    [
      'file_list',
      list,
      {
        table: 'table',
        tree: 'tree',
        raw: 'heading text',
        text: 'facts entries',
        code: 'facts entries',
        diff: 'facts entries',
        markdown: 'facts entries',
        image: 'facts entries',
      },
    ],
    [
      'table',
      rows,
      { tree: 'tree', raw: 'heading text', text: 'table', code: 'table', table: 'table' },
    ],
    [
      'image',
      { url: 'https://a.example' },
      { tree: 'tree', raw: 'heading text', text: 'media', table: 'media', image: 'media' },
    ],
    ['structured', [{ a: 1 }], { tree: 'tree', raw: 'text', table: 'table' }],
  ])('%s %j is shown in these views: %j', ([kind, data, views]) => {
    for (const [view, parts] of Object.entries(views))
      expect([view, getView(kind, data, view)]).toEqual([view, parts])
  })

  test('text is Markdown by its type, and is not repeated', () => {
    const readers = {
      highlight: () => undefined,
      readMarkdown: () => [{ kind: 'rule' as const }],
    }
    const value = { kind: 'text', data: { content: 'a\n' } }
    const markdown = { ...value, mimeType: 'text/markdown' }
    expect(show(markdown, {}, { readers })).toEqual([
      { kind: 'group', parts: [{ kind: 'markdown', blocks: [{ kind: 'rule' }], left: 0 }] },
    ])
    expect(show(value, {}, { readers })).toEqual([
      { kind: 'group', parts: [{ kind: 'text', ...whole('a') }] },
    ])
    expect(show(value, { content: [text('a')] })).toEqual([
      { kind: 'text', ...whole('a') },
      { kind: 'group', parts: [] },
    ])
  })

  test('Markdown with an omitted middle is shown in two parts', () => {
    const readers = {
      highlight: () => undefined,
      readMarkdown: (markdown: string) => [
        { kind: 'heading' as const, level: markdown.length, content: [] },
      ],
    }
    const value = { kind: 'text', mimeType: 'text/markdown', data: { content: 'a\nb\nc\nd\nee' } }
    const blocks = (level: number): object[] => [{ kind: 'heading', level, content: [] }]
    expect(show(value, {}, { readers, maxLines: 3, lastLines: 1 })).toEqual([
      {
        kind: 'group',
        parts: [
          {
            kind: 'group',
            parts: [
              { kind: 'markdown', blocks: blocks(3), left: 2 },
              { kind: 'markdown', blocks: blocks(2), left: 0 },
            ],
          },
        ],
      },
    ])
    const onlyFirst = {
      ...readers,
      readMarkdown: (markdown: string) =>
        markdown === 'ee' ? undefined : readers.readMarkdown(markdown),
    }
    expect(show(value, {}, { readers: onlyFirst, maxLines: 3, lastLines: 1 })).toEqual([
      { kind: 'group', parts: [{ kind: 'text', first: 'a\nb', left: 2, last: 'ee' }] },
    ])
  })

  test('a file has its path, its size and its text, unless that is bytes or already shown', () => {
    const facts = (...known: string[]): object => ({ kind: 'facts', name: 'a.py', facts: known })
    const showFile = (data: object, content: ContentBlock[] = []): unknown =>
      show(
        { kind: 'file_content', data: { path: '/w/a.py', content: 'b', size: 1, ...data } },
        { content },
      ).at(-1)
    const code = { kind: 'code', language: 'py', ...whole('b') }
    expect(showFile({})).toEqual({ kind: 'group', parts: [facts('1 byte'), code] })
    expect(showFile({ encoding: 'utf8' })).toEqual({
      kind: 'group',
      parts: [facts('1 byte', 'utf8'), code],
    })
    expect(showFile({ encoding: 'base64' })).toEqual({
      kind: 'group',
      parts: [facts('1 byte', 'base64')],
    })
    expect(showFile({}, [text('b')])).toEqual({ kind: 'group', parts: [facts('1 byte')] })
  })
})

describe('a picture', () => {
  const makeImage = (data: object, more: object = {}): unknown => {
    const [group] = show({ kind: 'image', data, ...more })
    return group?.kind === 'group' && group.parts[0]
  }
  const image = { kind: 'media', media: 'image', name: 'image' }

  test.for<[object, object, object]>([
    [
      { url: 'data:image/svg+xml;base64,AAAA' },
      {},
      { facts: ['image/svg+xml', '3 bytes'], mimeType: 'image/svg+xml', base64: 'AAAA' },
    ],
    [
      { url: 'DATA:IMAGE/png;BASE64,AAAA', alt: 'A map' },
      { mimeType: 'image/webp' },
      {
        facts: ['A map', 'image/webp', '3 bytes'],
        alt: 'A map',
        mimeType: 'image/webp',
        base64: 'AAAA',
      },
    ],
    [
      { url: 'data:text/html;base64,AAAA' },
      {},
      { facts: ['data:text/html;base64,AAAA'], uri: 'data:text/html;base64,AAAA' },
    ],
    [
      { url: 'x:data:image/png;base64,AAAA' },
      {},
      { facts: ['x:data:image/png;base64,AAAA'], uri: 'x:data:image/png;base64,AAAA' },
    ],
    [
      { url: 'https://a.example', base64: 'AAAAAAAA' },
      {},
      { facts: ['6 bytes', 'https://a.example'], base64: 'AAAAAAAA', uri: 'https://a.example' },
    ],
  ])('of %j and %j', ([data, more, known]) => {
    expect(makeImage(data, more)).toStrictEqual({ ...image, ...known })
  })

  test.for([
    ['https://a.example', { uri: 'https://a.example' }],
    ['HTTP://a.example', { uri: 'HTTP://a.example' }],
    ['data:image/png;base64,AAAA', { base64: 'AAAA' }],
    ['a https://a.example', undefined],
    ['file:///a', undefined],
  ] as const)('may be a url, %s', ([data, known]) => {
    const [group] = show({ kind: 'a.b', data, summary: '', display: { preferredView: 'image' } })
    const part = group?.kind === 'group' ? group.parts[0] : undefined
    expect(part).toMatchObject(known ? { kind: 'media', ...known } : { kind: 'text' })
  })
})

describe('the text above a value', () => {
  const headings = (
    value: object,
    content: ContentBlock[] = [],
    options: ShowOptions = {},
  ): string[] =>
    show(value, { content }, options).flatMap((group) =>
      group.kind === 'group'
        ? group.parts.flatMap((part) => (part.kind === 'heading' ? [part.text] : []))
        : [],
    )

  test('is its summary, unless a block already contains it', () => {
    const value = { kind: 'git.log', data: 1, summary: 'two commits' }
    expect(headings(value)).toEqual(['two commits'])
    expect(headings(value, [text('two commits\n')])).toEqual([])
    expect(headings({ ...value, summary: '' })).toEqual([])
  })

  test('otherwise is its kind, if nothing else describes it', () => {
    expect(headings({ kind: 'git.log', data: { a: 1 } })).toEqual(['git.log'])
    expect(headings({ kind: 'git.log', data: 'a' })).toEqual(['git.log'])
    expect(headings({ kind: 'structured', data: { a: 1 } })).toEqual([])
    expect(headings({ kind: 'structured', data: [{ a: 1 }] })).toEqual([])
    expect(headings({ kind: 'text', data: { content: 'a' } })).toEqual([])
    expect(
      headings({ kind: 'text', data: { content: 'a' }, display: { preferredView: 'tree' } }),
    ).toEqual([])
    const registry = createRendererRegistry().register('git.log', () => [])
    expect(headings({ kind: 'git.log', data: 1 }, [], { registry })).toEqual([])
  })

  test('of a folded value is a summary, if the tool gives none', () => {
    const display = { collapsed: true }
    const fold = (value: object): unknown => show({ ...value, display })
    expect(fold({ kind: 'structured', data: [1, 2] })).toMatchObject([
      { kind: 'fold', summary: '2 items', parts: [{ kind: 'text' }] },
    ])
    expect(fold({ kind: 'git.log', data: [1], summary: 's' })).toMatchObject([{ summary: 's' }])
    expect(show({ kind: 'git.log', data: [1], display: { collapsed: false } })).toMatchObject([
      { kind: 'group' },
    ])
    expect(show({ kind: 'a.b', data: 1, display }, { isError: true })).toMatchObject([
      { kind: 'group' },
    ])
  })
})

describe('between blocks and structured content', () => {
  const getKinds = (
    value: unknown,
    content: ContentBlock[],
    more: object = {},
  ): readonly string[] => show(value, { content, ...more }).map((part) => part.kind)
  const value = { kind: 'git.log', data: [1] }

  test('JSON is omitted if a text is the same, a value is not', () => {
    expect(getKinds({ a: 1 }, [text('{"a":1}')])).toEqual(['text'])
    expect(getKinds({ a: 1 }, [text('{"a":2}')])).toEqual(['text', 'text'])
    expect(getKinds(value, [text(JSON.stringify(value)), text('b')])).toEqual(['text', 'group'])
  })

  test('with a hidden value, a person still sees questions and text for the user', () => {
    const hidden = { ...value, display: { preferredView: 'hidden' } }
    const content: ContentBlock[] = [
      text('a'),
      { type: 'question', question: { id: 'q', text: 'b', schema: {} } },
      { type: 'text', text: 'c', annotations: { audience: ['user'] } },
      { type: 'text', text: 'd', annotations: { audience: ['assistant'] } },
    ]
    expect(getKinds(hidden, content)).toEqual(['question', 'text', 'notice'])
  })

  test('an object that resembles a value is a value for a host that registered its kind', () => {
    const pod = { kind: 'pod', name: 'a' }
    expect(show(pod)).toMatchObject([{ kind: 'text' }])
    const registry = createRendererRegistry().register('pod', () => [{ kind: 'empty' }])
    expect(show(pod, {}, { registry })).toEqual([{ kind: 'group', parts: [{ kind: 'empty' }] }])
  })
})

test('structured content that only wraps the blocks is not shown again, and bytes in other structured content are named', () => {
  const data = Buffer.from('the bytes of a picture').toString('base64')
  const image = { type: 'image', data, mimeType: 'image/png' } as const
  const content = [text('a dot'), image]
  const alone = JSON.stringify(show(undefined, { content }))
  expect(JSON.stringify(show({ result: content }, { content }))).toBe(alone)
  const more = JSON.stringify(show({ drawn: data, width: 7 }, { content }))
  expect(more).toContain('(image/png, 22 bytes, in block 2)')
  expect(more.split(data)).toHaveLength(alone.split(data).length)
})

test('a renderer that throws a value that is not an error is also named in the note', () => {
  const registry = createRendererRegistry().register('a.b', () => {
    throw 'odd' // oxlint-disable-line no-throw-literal -- a host's renderer may
  })
  const result = { content: [], isError: false, structuredContent: { kind: 'a.b', data: 1 } }
  expect(showResult(result, { registry }).remarks).toEqual([
    {
      kind: 'warning',
      path: '',
      message: 'The renderer of "a.b" failed, so the value is shown without it: odd',
      facts: [],
    },
  ])
})

test.for<[unknown, string]>([
  ['text', 'text'],
  ['', '""'],
  [' a', '" a"'],
  ['a\n', 'a\n'],
  ['\n', '\n'],
  ['null', '"null"'],
  ['[1]', '"[1]"'],
  ['{', '{'],
  [3, '3'],
  [null, 'null'],
  [{ a: ['\u202E'] }, '{\n  "a": [\n    "\\u202e"\n  ]\n}'],
  [1n, '(not JSON)'],
  [undefined, '(not JSON)'],
])('the argument %o is shown as %j', ([value, argumentText]) => {
  expect(showArguments({ a: value })).toEqual([{ kind: 'argument', name: 'a', text: argumentText }])
})
