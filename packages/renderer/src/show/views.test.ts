import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { showResult, type ShownPart } from '../index.ts'
import { renderHtml } from '../html.ts'
import { isTabular, inferView } from './read-value.ts'

const show = (
  value: unknown,
  options: Parameters<typeof showResult>[1] = {},
): readonly ShownPart[] =>
  showResult({ content: [], isError: false, structuredContent: value }, options).answer
const getKinds = (parts: readonly ShownPart[]): readonly string[] =>
  parts.flatMap((part) => (part.kind === 'group' ? getKinds(part.parts) : [part.kind]))
const viewed = (preferredView: string, data: unknown): readonly string[] =>
  getKinds(show({ kind: 'a.b', data, summary: '', display: { preferredView } }))

describe('a view is inferred', () => {
  test.for([
    ['text/markdown; charset=utf-8', 'markdown'],
    ['text/plain', 'text'],
    ['text/rust', 'code'],
    ['text/x-diff', 'diff'],
    ['application/json', 'tree'],
    ['application/vnd.api+json', 'tree'],
    ['image/png', 'image'],
    ['application/pdf', 'raw'],
  ] as const)('from the type %s: %s', ([mimeType, view]) => {
    expect(inferView({ mimeType, data: {} })).toBe(view)
  })

  test('from the shape of the data', () => {
    expect(inferView({ data: [{ a: 1 }, { a: 'x', b: null }] })).toBe('table')
    expect(inferView({ data: 'a' })).toBe('text')
    expect(inferView({ data: { a: 1 } })).toBe('raw')
  })

  test('rows are objects that share a field and contain no nested values', () => {
    expect(isTabular([{ a: 1 }, { a: 2 }])).toBe(true)
    const none = [[], [1], [{}], [[1]], [null], { a: 1 }, ['ab', 'cd']]
    const mixed = [
      [{ a: 1 }, { b: 1 }],
      [{ a: 1 }, 1],
      [1, { a: 1 }],
      [{ a: [] }],
      [{ a: 1, b: {} }],
      [{ a: 1 }, { a: [] }],
      [{}, { a: 1 }],
    ]
    for (const data of [...none, ...mixed]) expect([data, isTabular(data)]).toEqual([data, false])
  })
})

describe('a preferred view', () => {
  test.for([
    ['text', 'a', ['text']],
    ['markdown', 'a', ['text']],
    ['code', 'a', ['code']],
    ['diff', '@@ -1 +1 @@\n-a\n+b\n', ['diff']],
    ['diff', { path: 'a', original: 'a', modified: 'b', isNew: false }, ['facts', 'diff']],
    ['table', [{ a: 1 }], ['table']],
    ['table', { columns: [{ key: 'a' }], rows: [] }, ['table']],
    ['tree', 1, ['tree']],
    ['image', 'https://example.com/a.png', ['media']],
    ['raw', [{ a: 1 }], ['text']],
  ] as const)('%s shows matching data: %j', ([view, data, kinds]) => {
    expect(viewed(view, data)).toEqual(kinds)
  })

  test.for([
    ['text', { a: 1 }, 'text'],
    ['diff', 'no patch', 'text'],
    ['table', { a: 1 }, 'text'],
    ['image', { a: 1 }, 'text'],
    ['code', [{ a: 1 }], 'table'],
  ] as const)('%s that does not match %j is skipped', ([view, data, kind]) => {
    expect(viewed(view, data)).toEqual([kind])
  })

  test('of a well-known kind applies if the kind has that view', () => {
    const text = { kind: 'text', data: { content: 'a' } }
    expect(getKinds(show({ ...text, display: { preferredView: 'code' } }))).toEqual(['code'])
    expect(getKinds(show({ ...text, display: { preferredView: 'image' } }))).toEqual(['text'])
    const list = { kind: 'file_list', data: { path: 'a', entries: [{ name: 'b', size: 1 }] } }
    expect(getKinds(show({ ...list, display: { preferredView: 'table' } }))).toEqual(['table'])
  })
})

describe('base64 with the type of an image', () => {
  const pixel =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const mimeType = 'image/png'

  test.for(['map.tile', 'image', 'structured'])('is an image, for any kind: %s', (kind) => {
    const value = { kind, data: pixel, mimeType, summary: '' }
    expect(show(value)).toMatchObject([
      { parts: [{ kind: 'media', media: 'image', mimeType, base64: pixel }] },
    ])
    expect(renderHtml({ content: [], isError: false, structuredContent: value })).toContain(
      `src="data:image/png;base64,${pixel}"`,
    )
  })

  test('is text if it has another type, and invalid base64 is not an image', () => {
    expect(getKinds(show({ kind: 'a.b', data: pixel, summary: '' }))).toEqual(['text'])
    expect(getKinds(show({ kind: 'a.b', data: '<svg/>', mimeType, summary: '' }))).toEqual(['text'])
    expect(getKinds(show({ kind: 'a.b', data: '', mimeType, summary: '' }))).toEqual(['text'])
  })
})

describe('hints', () => {
  test('that are invalid or of unknown kinds do not change the value', () => {
    const data = [{ at: '2026-03-01T09:30:12Z', in: '/w/a' }]
    const odd = { preferredView: 'chart', fieldTypes: { at: 'date', in: 'color' }, theme: 1 }
    expect(show({ kind: 'a.b', data, summary: 'Two.', display: odd })).toMatchObject([
      {
        parts: [
          { kind: 'heading', text: 'Two.' },
          { kind: 'table', columns: [{ type: 'date' }, {}] },
        ],
      },
    ])
  })

  test('law: with any hints, the data of a value is shown, and never its envelope', () => {
    const anything = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom('hidden', 'tree', 'date', 'image/png'),
    )
    const display = fc.oneof(
      anything,
      fc.dictionary(
        fc.constantFrom('preferredView', 'language', 'maxHeight', 'priority', 'fieldTypes', 'more'),
        fc.oneof(anything, fc.dictionary(fc.constantFrom('a', 'b'), anything)),
      ),
    )
    const hints = fc.record(
      { display, summary: anything, mimeType: anything },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.constantFrom('git.status', 'structured', 'text'), hints, (kind, fields) => {
        const envelope = { kind, data: 'on the main branch', ...fields }
        const parts = JSON.stringify(show(envelope, { hiddenValues: 'show' }))
        expect(parts).toContain('on the main branch')
        expect(parts).not.toContain('\\"data\\"')
      }),
      { numRuns: 1000 },
    )
  })

  const rows = Array.from({ length: 30 }, (_, id) => ({ id }))

  test('a collapsed value is below its summary, or below a created one', () => {
    const value = { kind: 'a.b', data: rows, display: { collapsed: true } }
    expect(show(value)).toMatchObject([{ kind: 'fold', summary: 'a.b' }])
    const diff = { path: 'a', original: 'a\nb\n', modified: 'a\nc\nd\n', isNew: false }
    const folded = { kind: 'diff', data: diff, display: { collapsed: true } }
    expect(show(folded)).toMatchObject([{ kind: 'fold', summary: 'a: +2 −1 lines' }])
    expect(getKinds(show(value, { collapsedValues: 'open' }))).toEqual(['heading', 'table'])
    expect(getKinds(show(value, { maxLines: Infinity }))).toEqual(['heading', 'table'])
  })

  test('a height cuts to that number of lines, or is passed to a page that scrolls', () => {
    const value = { kind: 'structured', data: rows, display: { maxHeight: 4 } }
    expect(show(value)).toMatchObject([{ parts: [{ kind: 'table', left: { rows: 26 } }] }])
    expect(show(value, { tallValues: 'scroll' })).toMatchObject([
      { maxHeight: 4, parts: [{ left: { rows: 0 } }] },
    ])
  })

  test('types of fields show dates to the minute and paths in the workspace', () => {
    const fieldTypes = { at: 'date', in: 'path', to: 'url' }
    const data = [{ at: '2026-03-01T09:30:12Z', in: '/w/a', to: 'https://a.b', id: 7 }]
    expect(
      show({ kind: 'structured', data, display: { fieldTypes } }, { root: '/w' }),
    ).toMatchObject([
      {
        parts: [
          {
            columns: [{ type: 'date' }, { type: 'path' }, { type: 'url' }, { align: 'right' }],
            rows: [['2026-03-01 09:30 UTC', 'a', 'https://a.b', '7']],
          },
        ],
      },
    ])
  })
})

describe('a tree', () => {
  const tree = (data: unknown, maxLines = 40): Extract<ShownPart, { kind: 'tree' }> => {
    const display = { preferredView: 'tree' }
    const [group] = show({ kind: 'structured', data, display }, { maxLines })
    const part = group?.kind === 'group' ? group.parts[0] : undefined
    if (part?.kind !== 'tree') throw new Error('no tree')
    return part
  }
  type Node = ReturnType<typeof tree>['top']
  const count = ({ nodes }: Node): number => nodes.reduce((sum, node) => sum + 1 + count(node), 0)
  const missing = ({ nodes, left }: Node): number =>
    nodes.reduce((sum, node) => sum + missing(node), left)

  test('shows the top levels first, and counts omitted values at their place', () => {
    const { top } = tree({ a: { b: { c: 1 } }, d: 2, e: 3 }, 4)
    expect(top.nodes.map(({ key, left }) => [key, left])).toEqual([
      ['a', 0],
      ['d', 0],
      ['e', 0],
    ])
    expect(top.nodes[0]?.nodes[0]).toMatchObject({ key: 'b', text: '1 field', left: 1 })
  })

  test('of a cyclic value ends', () => {
    const loop: Record<string, unknown> = {}
    loop['self'] = loop
    loop['other'] = loop
    expect(count(tree(loop, Infinity).top)).toBeLessThanOrEqual(100_000)
  })

  test('has at most as many nodes as lines, and counts the omitted ones', () => {
    fc.assert(
      fc.property(fc.object({ maxDepth: 3 }), fc.integer({ min: 2, max: 60 }), (data, lines) => {
        const [few, all] = [tree(data, lines).top, tree(data, Infinity).top]
        expect(count(few)).toBe(Math.min(lines, count(all)))
        expect(missing(few) > 0).toBe(count(few) < count(all))
        expect(missing(all)).toBe(0)
      }),
    )
  })
})
